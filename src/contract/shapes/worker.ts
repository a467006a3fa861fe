import { z } from "zod";

export const workerShape = z.object({
  workerId: z.string(),
  name: z.string(),
  allowedLabels: z
    .array(z.string())
    .nullable()
    .describe("The labels that its token allows; null: any"),
  createdAt: z.string(),
  createdBy: z.string(),
  state: z
    .enum(["connected", "lost", "left", "never"])
    .describe("lost: its lease has ended; left: it was stopped; never: it has not connected yet"),
  seen_ms: z.number().nullable().describe("How long ago it was seen; null: not connected"),
  agents: z.number().describe("Agents that run there now"),
  host: z.string().nullable(),
  pid: z.number().nullable(),
  version: z.string().nullable(),
  slots: z.number().nullable().describe("How many agents it runs at once"),
  labels: z.array(z.string()),
  runners: z.array(z.string()).describe("Agent CLIs that are installed there"),
  runnerVersions: z
    .record(z.string(), z.string())
    .describe("Versions of these CLIs, as far as the worker knows them"),
  runnerProblems: z
    .record(z.string(), z.enum(["signed-out", "not-installed"]))
    .describe("CLIs that cannot be used there now: their agents run on other hosts, if one can"),
  isDraining: z.boolean().describe("It finishes its agents and takes no more"),
  serverId: z.string().nullable().describe("The server that it is connected to"),
});

export type WireWorker = z.infer<typeof workerShape>;
