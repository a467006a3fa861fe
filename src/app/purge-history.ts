import type { Core } from "./core.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const AT_A_TIME = 500;

/** Forgets what is older than `history.keep_days`, a little at a time; answers how many agents. */
export async function purgeHistory(core: Core, keepDays: number): Promise<number> {
  const before = core.clock.now() - keepDays * DAY_MS;
  for (let purged = 0; ;) {
    const ids = await core.store.transaction((unit) => unit.purgeHistory(before, AT_A_TIME));
    await core.supervisor.removeSpool(ids);
    purged += ids.length;
    if (ids.length < AT_A_TIME) return purged;
  }
}
