import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ADaemon } from "./daemon.ts";

const SEED = fileURLToPath(new URL("./seed.ts", import.meta.url));
const run = promisify(execFile);

/** A daemon whose store was filled by seed.ts before its start. */
export function seeded(
  what: "fleet" | "odd" | "huge" | "still" | "hidden" | "paused",
  more: ADaemon = {},
): ADaemon {
  return {
    ...more,
    prepare: async (dataDir) => void (await run(process.execPath, [SEED, dataDir, what])),
  };
}
