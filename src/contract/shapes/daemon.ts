import { z } from "zod";
import type { DaemonStatus } from "../hello.ts";

/** DaemonStatus is a plain type, because the shim that reads it must not load zod. */
export const daemonStatusShape = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.string().nullable(),
  dataDir: z.string(),
  configPath: z.string().nullable(),
  startedAt: z.string(),
  agents: z.object({ waiting: z.number(), live: z.number() }),
  tasks: z.object({ unfinished: z.number(), approvals: z.number() }),
  clients: z.number(),
  untrusted: z
    .object({
      path: z.string(),
      notUsed: z.array(z.string()).readonly(),
      problem: z.string().nullable(),
      command: z.string(),
    })
    .nullable()
    .exactOptional(),
  notReloaded: z.string().nullable().exactOptional(),
  waitingForRestart: z.array(z.string()).readonly().exactOptional(),
}) satisfies z.ZodType<DaemonStatus>;
