import { z } from "zod";
import { LABEL, MAX_LABELS } from "../../domain/workers/labels.ts";
import { WORKER_NAME } from "../../domain/workers/worker.ts";
import type { RouteContract } from "../route-contract.ts";
import { workerShape } from "../shapes/worker.ts";
import { NO_INPUT } from "./inputs.ts";

export const listWorkers = {
  ...NO_INPUT,
  method: "get",
  path: "/api/workers",
  summary: "The machines that run agents for the servers; none with SQLite.",
  answer: z.object({ workers: z.array(workerShape) }),
} as const satisfies RouteContract;

export const addWorker = {
  ...NO_INPUT,
  method: "post",
  path: "/api/workers",
  summary: "Allow a machine to run agents. The answer has its token, this once. Needs admin.",
  body: z.strictObject({
    name: z.string().regex(WORKER_NAME).describe("Small letters, digits, `.`, `_` and `-`"),
    labels: z
      .array(z.string().regex(LABEL))
      .max(MAX_LABELS)
      .optional()
      .describe("The labels that it may have; left out: any"),
  }),
  status: 201,
  answer: z.object({ workerId: z.string(), name: z.string(), token: z.string() }),
} as const satisfies RouteContract;

export const revokeWorker = {
  ...NO_INPUT,
  method: "delete",
  path: "/api/workers/{name}",
  summary: "Take the token of a worker away. Its agents are lost. Needs admin.",
  params: z.object({ name: z.string() }),
  answer: z.object({ workerId: z.string(), name: z.string(), agents: z.number() }),
} as const satisfies RouteContract;
