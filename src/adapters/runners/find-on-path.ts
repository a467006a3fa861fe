import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** How long a file that was found is taken to be still there. */
const TRUST_MS = 1_000;

/** For many agents in a row; what is not there is looked for each time, it may just be installed. */
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
 * The first of `names` that is an executable file somewhere on `path`: an earlier name wins over
 * an earlier folder. Relative folders are passed over, they would mean another file in each cwd.
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
