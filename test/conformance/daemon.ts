import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 15_000;
export const MAIN = fileURLToPath(new URL("../../src/main/main.ts", import.meta.url));

export type TestDaemon = {
  readonly mcpUrl: string;
  readonly socketPath: string;
  /** The temporary directory of this daemon, also for its clients. */
  readonly dir: string;
  readonly env: Record<string, string>;
  stop(): Promise<void>;
};

/** The real daemon as a process, isolated from the machine's user. */
export async function startDaemon(...flags: readonly string[]): Promise<TestDaemon> {
  const dir = mkdtempSync(join(tmpdir(), "kuromajutsu-"));
  const dataDir = join(dir, "data");
  const runtimeDir = join(dir, "run");
  mkdirSync(runtimeDir, { mode: 0o700 });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: dir,
    XDG_RUNTIME_DIR: runtimeDir,
    KUROMAJUTSU_DATA_DIR: dataDir,
    KUROMAJUTSU_PORT: "0",
  };
  const child = spawn(process.execPath, [MAIN, "serve", ...flags], {
    cwd: dir,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (log += chunk));

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await exited;
      clearTimeout(late);
    }
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  const giveUpAt = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const ready = readReady(join(dataDir, "daemon.json"));
    if (ready) {
      return { mcpUrl: `${ready.url}/mcp`, socketPath: ready.socketPath, dir, env, stop };
    }
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`The daemon did not get ready:\n${log}`);
    }
    await sleep(25);
  }
}

const daemonFile = z.object({ url: z.string(), socketPath: z.string() });

function readReady(path: string): z.infer<typeof daemonFile> | undefined {
  try {
    return daemonFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
