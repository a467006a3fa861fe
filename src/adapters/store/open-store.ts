import { join } from "node:path";
import type { Store } from "../../app/ports/store.ts";
import type { Log } from "../../app/ports/world.ts";
import { refuseHalfSwapped } from "./half-swapped.ts";
import { makePrivateDirectory, makePrivateFile } from "./private-files.ts";
import { refuseToBeginEmpty } from "./rescued-copies.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import { toFileFault } from "./store-fault.ts";

export type StoreAddress = {
  readonly url?: string;
  readonly connections?: number;
  readonly lease_ms?: number;
};

export type OpenStore = {
  readonly dataDir: string;
  /** Without a URL everything is in SQLite, in the data directory. */
  readonly settings?: StoreAddress;
  readonly log?: Log;
  /** Called after every commit; it must not throw. */
  readonly onCommit?: () => void;
  /** See `OpenSqliteStore`. */
  readonly onLost?: (message: string) => void;
};

/** Take the lock of the directory first (`acquireLock`): two daemons must not share it. */
export async function openStore({ dataDir, settings, ...rest }: OpenStore): Promise<Store> {
  if (settings?.url !== undefined) return openPostgres({ ...settings, url: settings.url }, rest);
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

/** Loaded only if it is used: with SQLite no module of `pg` is loaded. */
async function openPostgres(
  { lease_ms: leaseMs, ...address }: StoreAddress & { readonly url: string },
  { log, onCommit }: Omit<OpenStore, "dataDir" | "settings">,
): Promise<Store> {
  const { openPostgresStore } = await import("./postgres/postgres-store.ts");
  return openPostgresStore({ ...address, leaseMs, log, onCommit });
}
