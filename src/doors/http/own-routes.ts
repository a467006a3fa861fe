import { z } from "zod";
import { welcomeShape } from "../../contract/settings.ts";
import type { DescribedRoute } from "./openapi.ts";
import { NO_BODY, NO_PARAMS, NO_QUERY } from "./routes/inputs.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";

/** Served by the door itself, about itself: they need no core. */
export const OWN_ROUTES: readonly DescribedRoute[] = [
  {
    method: "get",
    path: "/api/health",
    summary: "Is the daemon there, and, for who is signed in, how busy is it?",
    params: NO_PARAMS,
    query: NO_QUERY,
    body: NO_BODY,
    answer: z.looseObject({
      ok: z.boolean(),
      version: z.string(),
      ...z
        .looseObject({
          pid: z.number(),
          url: z.string().nullable(),
          dataDir: z.string(),
          configPath: z.string().nullable(),
          startedAt: z.string(),
          agents: z.looseObject({ waiting: z.number(), live: z.number() }),
          clients: z.number(),
        })
        .partial().shape,
    }),
  },
  {
    method: "get",
    path: "/api/welcome",
    summary: "What to add to an MCP client, and where this daemon answers.",
    params: NO_PARAMS,
    query: NO_QUERY,
    body: NO_BODY,
    answer: welcomeShape,
  },
  {
    method: "get",
    path: "/api/openapi.json",
    summary: "This document.",
    params: NO_PARAMS,
    query: NO_QUERY,
    body: NO_BODY,
    answer: z.looseObject({ openapi: z.string() }),
  },
  ...SIGN_IN_ROUTES,
];
