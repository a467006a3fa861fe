import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { runBounded } from "../../bounded-run.ts";

const LIMIT_MS = 30_000;
const MAX_BYTES = 64 * 1024;

/**
 * OpenCode creates or migrates its database at its first start after an installation. Several first
 * starts at the same time fail ("database is locked"), so one short command comes before them. A
 * failure is left to the runs that follow, which say what is wrong.
 */
export function createPreparation(): (command: string) => Promise<void> {
  const done = new Map<string, Promise<void>>();
  return async (command) => {
    const file = await stat(command).catch(() => undefined);
    // A newer installation has another time.
    const key = `${command} ${file?.mtimeMs}`;
    const running = done.get(key) ?? openDatabase(command);
    done.set(key, running);
    await running;
  };
}

async function openDatabase(command: string): Promise<void> {
  await runBounded({
    argv: [command, "db", "path"],
    env: { ...process.env, PWD: homedir() },
    cwd: homedir(),
    stdin: "",
    timeoutMs: LIMIT_MS,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGTERM",
    onOutput: () => {},
  });
}
