import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type DaemonFile = {
  readonly pid: number;
  readonly url: string | null;
  readonly socketPath: string;
};

const pathOf = (dataDir: string): string => join(dataDir, "daemon.json");

/** Tells people, scripts and clients where the daemon can be reached. It is not a lock. */
export function writeDaemonFile(dataDir: string, content: DaemonFile): void {
  replaceFile(pathOf(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** The next daemon prefers this port: agents that are still running call it. */
export function rememberPort(dataDir: string, url: string | null): void {
  if (url !== null) replaceFile(join(dataDir, "last-port"), new URL(url).port);
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

/** Renames a new file into place: readers see the old or the new content, and no link is followed. */
function replaceFile(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
}
