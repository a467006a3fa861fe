import { z } from "zod";

export const serverShape = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  url: z.string().nullable().describe("null: it is starting, or has no HTTP door"),
  startedAt: z.iso.datetime(),
  seen_ms: z.int().describe("How long ago the others have seen it"),
  agents: z.int().describe("Agents that are alive there"),
  slots: z.int().nullable().describe("How many agents it runs itself; null: no limit of its own"),
  labels: z.array(z.string()).describe("What it has for agents that ask for it"),
  isThis: z.boolean().describe("It is the server that answers"),
  isLeader: z.boolean().describe("It does what only one server must do"),
  clockAhead_ms: z
    .int()
    .describe("How far the clock of its host is ahead of the database; 0: at most two seconds"),
  configHash: z.string().describe("Hash of the settings that should be equal on all servers"),
});
export type WireServer = z.infer<typeof serverShape>;
