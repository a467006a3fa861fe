import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { serverShape } from "../shapes/server.ts";
import { NO_INPUT } from "./inputs.ts";

export const getServers = {
  ...NO_INPUT,
  method: "get",
  path: "/api/servers",
  summary: "The servers that share the PostgreSQL database; none with SQLite.",
  answer: z.object({
    servers: z.array(serverShape),
    sameConfiguration: z.boolean().describe("false: their configuration files differ"),
  }),
} as const satisfies RouteContract;
