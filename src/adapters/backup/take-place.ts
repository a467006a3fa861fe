import { renameSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "../key-file.ts";

export type TakePlace = {
  /** The new directory, complete. */
  readonly staging: string;
  readonly dataDir: string;
  /** Where the directory before goes; undefined: there is none. */
  readonly aside: string | undefined;
};

type Rename = (from: string, to: string) => void;

/** Neither the new nor the old directory could be put at the path. Both are still there. */
export class HalfSwapped extends Error {}

/** Two renames. If the second one fails, the first one is undone. */
export function takePlace(
  { staging, dataDir, aside }: TakePlace,
  rename: Rename = renameSync,
): void {
  syncDirectory(staging);
  if (aside !== undefined) rename(dataDir, aside);
  try {
    rename(staging, dataDir);
  } catch (error) {
    if (aside !== undefined) putBack({ staging, dataDir, aside }, rename, error);
    throw error;
  }
  syncDirectory(dirname(dataDir));
}

function putBack(
  { staging, dataDir, aside }: TakePlace & { readonly aside: string },
  rename: Rename,
  cause: unknown,
): void {
  try {
    rename(aside, dataDir);
  } catch {
    throw new HalfSwapped(
      `${dataDir} was created by another process during the restore. ` +
        `The restored data is ${staging}, the data before it ${aside}. ` +
        `Remove ${dataDir}, and rename one of the two to ${dataDir}.`,
      { cause },
    );
  }
}
