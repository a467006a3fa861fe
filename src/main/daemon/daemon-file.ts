import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type DaemonFile = {
  readonly pid: number;
  readonly url: string | null;
  readonly socketPath: string;
  /** Started by a client, so nothing else starts it again. */
  readonly background: boolean;
};

const pathOf = (dataDir: string): string => join(dataDir, "daemon.json");

/** Tells people, scripts and clients where the daemon can be reached. The file is not a lock. */
export function announceDaemon(dataDir: string, content: DaemonFile): void {
  replaceFile(pathOf(dataDir), `${JSON.stringify(content, null, 2)}\n`);
  // An earlier stop means nothing now.
  rmSync(stopMark(dataDir), { force: true });
  const { url } = content;
  // The next daemon prefers this port: agents that are still running call it.
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

const stopMark = (dataDir: string): string => join(dataDir, "stopped");

/**
 * Remembers that a person stops the daemon, so that no open terminal starts another one. Written
 * before anything is closed: a daemon that is killed while it stops was stopped on purpose too.
 */
export function markStopped(dataDir: string): void {
  try {
    replaceFile(stopMark(dataDir), `${process.pid}\n`);
  } catch {
    // A full disk or a deleted directory must not keep the daemon from stopping.
  }
}

/**
 * How the daemon that no longer answers has ended. Every orderly end removes its file, so a file
 * that is still there belongs to a process that was killed or crashed.
 */
export function howItEnded(dataDir: string): "stopped" | "died" | "died-in-background" {
  if (existsSync(stopMark(dataDir))) return "stopped";
  try {
    const { background } = JSON.parse(readFileSync(pathOf(dataDir), "utf8"));
    return background === true ? "died-in-background" : "died";
  } catch {
    return "stopped";
  }
}

/** Renames a new file into place: readers see the old or the new content, and no link is followed. */
function replaceFile(path: string, text: string): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
}
