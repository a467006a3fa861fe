import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { homeShape } from "../shapes/home.ts";
import { settingsShape, welcomeShape } from "../shapes/settings.ts";
import { NO_INPUT } from "./inputs.ts";

export const getHealth = {
  ...NO_INPUT,
  method: "get",
  path: "/api/health",
  summary: "Whether the daemon runs and, for a signed-in person, how busy it is.",
  answer: z.looseObject({
    ok: z.boolean(),
    version: z.string(),
    command: z.string().describe("How a person starts a command: kuromajutsu or npx kuromajutsu"),
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
} as const satisfies RouteContract;

export const getLiveness = {
  ...NO_INPUT,
  method: "get",
  path: "/api/health/live",
  summary: "For monitors, without sign-in: the daemon answers.",
  answer: z.object({ ok: z.literal(true) }),
} as const satisfies RouteContract;

export const getReadiness = {
  ...NO_INPUT,
  method: "get",
  path: "/api/health/ready",
  summary: "For monitors, without sign-in: the daemon can do its work; 503 if not.",
  answer: z.object({
    ok: z.boolean(),
    store: z
      .enum(["ok", "full", "read-only", "failed"])
      .describe("Whether the database accepts changes"),
    started: z.boolean().describe("false: it is still starting, or is stopping"),
    servers: z
      .object({
        count: z.int(),
        sameConfiguration: z.boolean().describe("false: their configuration files differ"),
      })
      .exactOptional()
      .describe("Only if several servers share the database"),
  }),
} as const satisfies RouteContract;

export const getWelcome = {
  ...NO_INPUT,
  method: "get",
  path: "/api/welcome",
  summary: "The MCP client configuration, and the address of this daemon.",
  answer: welcomeShape,
} as const satisfies RouteContract;

export const getHome = {
  ...NO_INPUT,
  method: "get",
  path: "/api/home",
  summary: "The newest tasks with their results, and which of the first steps you have done.",
  answer: homeShape,
} as const satisfies RouteContract;

export const getOpenApi = {
  ...NO_INPUT,
  method: "get",
  path: "/api/openapi.json",
  summary: "This document.",
  answer: z.looseObject({ openapi: z.string() }),
} as const satisfies RouteContract;

export const getSettings = {
  ...NO_INPUT,
  method: "get",
  path: "/api/settings",
  summary: "The configuration of approvals, interrupts and people.",
  answer: settingsShape,
} as const satisfies RouteContract;
