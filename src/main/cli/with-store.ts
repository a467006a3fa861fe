import { existsSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../../adapters/store/lock.ts";
import { openStore, type OpenStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../app/ports/store.ts";
import { findPlace } from "./find-place.ts";
import { loadConfigHere } from "./load-config-here.ts";

/** A data directory, and the database that its daemon uses. */
export type StorePlace = Required<Pick<OpenStore, "dataDir" | "settings">>;

/** The place of the configuration that is found from here. */
export async function findStore(): Promise<StorePlace> {
  const { config } = await loadConfigHere();
  return { dataDir: findPlace().dataDir, settings: config.store };
}

/** False: no daemon has written anything yet. */
export function hasDatabase({ dataDir, settings }: StorePlace): boolean {
  return settings.url !== undefined || existsSync(join(dataDir, "kuromajutsu.db"));
}

/** Opens the database without a daemon. Holds the lock of the data directory meanwhile. */
export async function withStore<T>(
  { dataDir, settings }: StorePlace,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const lock = acquireLock(dataDir);
  if (!lock) throw new Error("A daemon is just starting or stopping; try again.");
  try {
    const store = await openStore({ dataDir, settings });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}
