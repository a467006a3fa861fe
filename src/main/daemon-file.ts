import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const shape = z.object({ pid: z.number(), url: z.string().nullable(), socketPath: z.string() });
const pathOf = (dataDir: string): string => join(dataDir, "daemon.json");

/** For people and scripts: where the daemon of this data directory can be reached. Not a lock. */
export function writeDaemonFile(dataDir: string, content: z.infer<typeof shape>): void {
  const path = pathOf(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function readDaemonFile(dataDir: string): z.infer<typeof shape> | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(pathOf(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

export function removeDaemonFile(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}
