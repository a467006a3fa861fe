import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../../../src/adapters/store/lock.ts";
import type { Place } from "../daemon.ts";
import { processesWith } from "../processes.ts";
import { rowsOf } from "./servers.ts";

/** What a server or worker that was refused has left: nothing, if all is well. */
export function leftBehind({ dir, env }: Place, dataDir: string): readonly string[] {
  const runtime = env["XDG_RUNTIME_DIR"] ?? join(dir, "run");
  const sockets = readdirSync(runtime, { recursive: true, encoding: "utf8" });
  const processes = processesWith(`XDG_RUNTIME_DIR=${runtime}`).map(({ pid }) => `process ${pid}`);
  return [
    ...sockets.filter((name) => name.endsWith(".sock")),
    ...["daemon.json", "kuromajutsu.db"].filter((name) => existsSync(join(dataDir, name))),
    ...processes,
    ...(isLocked(dataDir) ? ["the lock of the data directory"] : []),
  ];
}

function isLocked(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  const lock = acquireLock(dataDir);
  lock?.release();
  return lock === undefined;
}

/** The rows that a server or a worker writes when it starts. */
export async function hostRows(url: string): Promise<readonly Record<string, unknown>[]> {
  return rowsOf(
    url,
    `select 'server' as kind, id, epoch::int as epoch from servers
      union all select 'worker', id, epoch::int from workers order by kind, id`,
  );
}
