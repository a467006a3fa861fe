import { acquireLock } from "../../adapters/store/lock.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../app/ports/store.ts";

/** Opens the database without a daemon. Holds the lock of the data directory meanwhile. */
export async function withStore<T>(
  dataDir: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const lock = acquireLock(dataDir);
  if (!lock) throw new Error("A daemon is just starting or stopping; try again.");
  try {
    const store = await openStore({ dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}
