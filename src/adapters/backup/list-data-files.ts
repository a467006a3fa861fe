import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isCode } from "../../base/error-code.ts";
import { DATA_FOLDER, DATABASE, safeEntry } from "./archive-format.ts";
import { fitsHeader } from "./tar-header.ts";

export type DataFile = {
  /** Relative to the data directory. */
  readonly path: string;
  readonly size: number;
};

export type DataFiles = {
  readonly files: readonly DataFile[];
  readonly leftOut: readonly string[];
};

/**
 * They belong to the running daemon or to this machine, or are read in another way. Everything else
 * in the data directory is part of a backup, so that new kinds of files are never forgotten.
 */
const NOT_BACKED_UP: readonly RegExp[] = [
  new RegExp(`^${DATABASE}(-wal|-shm|-journal)?$`),
  /^lock\.db/,
  /^daemon\.(json|log)/,
  /^last-port/,
  /^stopped$/,
  /^audit\.head$/,
  /^(restored|moved)\.json$/,
  /^\.moving-/,
  /\.(tmp|new)$/,
  // Copies of the files of repositories, also of secrets such as .env. Changes are commits there.
  /^workspaces(\/|$)/,
  /^git(\/|$)/,
  // Files that configure a running CLI, with the token of its agent.
  /^spool\/[^/]+\.run(\/|$)/,
];

export function listDataFiles(dataDir: string): DataFiles {
  const files: DataFile[] = [];
  const leftOut: string[] = [];
  function walk(folder: string): void {
    for (const name of namesIn(join(dataDir, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (NOT_BACKED_UP.some((pattern) => pattern.test(path))) continue;
      const found = lstatSync(join(dataDir, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) walk(path);
      else if (found?.isFile() && isStorable(path)) files.push({ path, size: found.size });
      else if (found) leftOut.push(path);
    }
  }
  walk("");
  return { files, leftOut };
}

function isStorable(path: string): boolean {
  const entry = `${DATA_FOLDER}${path}`;
  return safeEntry(entry) !== undefined && fitsHeader(entry);
}

/** The daemon may delete a folder meanwhile. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}
