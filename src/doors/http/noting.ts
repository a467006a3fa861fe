import type { Core } from "../../app/core.ts";
import type { UnitOfWork } from "../../app/ports/store.ts";

/** A core whose first transaction also carries a note: both are committed, or neither. */
export function noting(core: Core, note: (unit: UnitOfWork) => Promise<void>): Core {
  let isNoted = false;
  return {
    ...core,
    store: {
      ...core.store,
      async transaction(work) {
        if (isNoted) return core.store.transaction(work);
        const result = await core.store.transaction(async (unit) => {
          const done = await work(unit);
          await note(unit);
          return done;
        });
        isNoted = true;
        return result;
      },
    },
  };
}
