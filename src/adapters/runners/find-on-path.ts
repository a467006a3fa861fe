import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** How long a program that was found is cached. */
const TRUST_MS = 1_000;

/**
 * Caches a found program for many agents in a row; a missing one is not cached, because it may just
 * have been installed.
 */
export function createPathSearch(names: readonly string[], path: () => string | undefined) {
  let last: {
    readonly path: string | undefined;
    readonly file: string;
    readonly at: number;
  } | null = null;
  return async (): Promise<string | undefined> => {
    const now = performance.now();
    const searched = path();
    if (last && last.path === searched && now - last.at < TRUST_MS) return last.file;
    const file = await findOnPath(names, searched);
    last = file === undefined ? null : { path: searched, file, at: now };
    return file;
  };
}

/**
 * The first of `names` that is an executable file in a folder of `path`; an earlier name wins over
 * an earlier folder. Relative folders are skipped, because they depend on the working directory.
 */
export async function findOnPath(
  names: readonly string[],
  path: string | undefined,
): Promise<string | undefined> {
  const folders = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, name);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
