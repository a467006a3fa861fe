import { join } from "node:path";
import type { Store } from "../../app/ports/store.ts";
import type { Log } from "../../app/ports/world.ts";
import { refuseHalfSwapped } from "./half-swapped.ts";
import { makePrivateDirectory, makePrivateFile } from "./private-files.ts";
import { refuseToBeginEmpty } from "./rescued-copies.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import { toFileFault } from "./store-fault.ts";

export type OpenStore = {
  readonly dataDir: string;
  readonly log?: Log;
  /** Called after every commit; it must not throw. */
  readonly onCommit?: () => void;
  /** See `OpenSqliteStore`. */
  readonly onLost?: (message: string) => void;
};

/** Take the lock of the directory first (`acquireLock`): two daemons must not share it. */
export async function openStore({ dataDir, ...rest }: OpenStore): Promise<Store> {
  const path = join(dataDir, "kuromajutsu.db");
  try {
    makePrivateDirectory(dataDir);
    refuseHalfSwapped(dataDir, path);
    refuseToBeginEmpty(path);
    makePrivateFile(path);
  } catch (error) {
    throw toFileFault(error, path);
  }
  return openSqliteStore({ path, ...rest });
}
