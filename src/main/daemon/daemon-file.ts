import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type DaemonFile = {
  readonly pid: number;
  readonly url: string | null;
  readonly socketPath: string;
};

const pathOf = (dataDir: string): string => join(dataDir, "daemon.json");

/** For people and scripts: where the daemon of this data directory can be reached. Not a lock. */
export function writeDaemonFile(dataDir: string, content: DaemonFile): void {
  writeWhole(pathOf(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** The port outlives the daemon: agents that go on without one know its address. */
export function rememberPort(dataDir: string, url: string | null): void {
  if (url !== null) writeWhole(join(dataDir, "last-port"), new URL(url).port);
}

export function lastPort(dataDir: string): number | undefined {
  try {
    const port = Number(readFileSync(join(dataDir, "last-port"), "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

export function removeDaemonFile(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}

/** Replaced, never written into: whoever reads it sees the old or the new, and no link is followed. */
function writeWhole(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
}
