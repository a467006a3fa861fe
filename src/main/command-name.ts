import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

const PROGRAM = "kuromajutsu";

export type FindCommand = {
  /** PATH of the terminal. */
  readonly path: string | undefined;
  /** bin/kuromajutsu.js of this installation. */
  readonly program: string;
};

/** How a person starts this program in a terminal: by its name if that finds this installation. */
export function findCommandName({ path = "", program }: FindCommand): string {
  const own = realPath(program);
  const isOnPath = path
    .split(delimiter)
    .filter((folder) => folder !== "" && !isOfNpm(folder))
    .some((folder) => realPath(join(folder, PROGRAM)) === own);
  return own !== undefined && isOnPath ? PROGRAM : `npx ${PROGRAM}`;
}

/** npm and npx put these folders into PATH only for the programs that they start. */
function isOfNpm(folder: string): boolean {
  return basename(folder) === ".bin" && basename(dirname(folder)) === "node_modules";
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
