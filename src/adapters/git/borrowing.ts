import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import type { PrivateDirectories } from "./private-directory.ts";

/** The only ref of a borrowing repository. */
export const BASE_REF = "refs/heads/base";

/** Empty, with the objects of the repository, and a ref that says up to where they are complete. */
export async function makeBorrowing(
  folder: string,
  directories: PrivateDirectories,
  commonDirectory: string,
  base: Oid,
): Promise<string> {
  const directory = join(folder, "borrowing.git");
  for (const part of ["objects/info", "objects/pack", "refs/heads"]) {
    await mkdir(join(directory, part), { recursive: true, mode: 0o700 });
  }
  await directories.borrow(commonDirectory, directory);
  await writeFile(join(directory, BASE_REF), `${base}\n`);
  return directory;
}
