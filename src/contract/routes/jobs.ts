import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { deadJobShape } from "../shapes/dead-job.ts";
import { idText, limit, NO_INPUT } from "./inputs.ts";

export const listDeadJobs = {
  ...NO_INPUT,
  method: "get",
  path: "/api/jobs",
  summary: "Jobs that failed too often and were given up, newest first; none with SQLite.",
  query: z.strictObject({ limit: limit(500, 100) }),
  answer: z.object({
    jobs: z.array(deadJobShape),
    total: z.int().describe("Also those that the limit leaves out"),
  }),
} as const satisfies RouteContract;

export const retryDeadJobs = {
  ...NO_INPUT,
  method: "post",
  path: "/api/jobs/retry",
  summary: "Try jobs again that were given up: one, or all of them.",
  body: z.strictObject({ jobId: idText.optional().describe("Left out: all of them") }).optional(),
  answer: z.object({ retried: z.int() }),
} as const satisfies RouteContract;
