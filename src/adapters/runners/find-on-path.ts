import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

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
