import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isCode } from "../../base/error-code.ts";

const MAX_HOST_CHARS = 40;

/**
 * The id of the server with this data directory, made at its first start. It is stable, because the
 * output of its agents is in the directory: the next process adopts them. Needs the lock of the
 * directory.
 */
export function serverIdOf(dataDir: string, randomHex: (bytes: number) => string): string {
  const path = join(dataDir, "server-id");
  const known = readId(path);
  if (known) return known;
  const host = hostname().replaceAll(/[^\w.-]/g, "");
  const id = `${host.slice(0, MAX_HOST_CHARS) || "server"}-${randomHex(4)}`;
  // A process that dies while it writes must leave no half id.
  writeFileSync(`${path}.new`, `${id}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return id;
}

function readId(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
