import type { Core } from "../../app/core.ts";
import type { UnitOfWork } from "../../app/ports/store.ts";
import { Refusal } from "../../domain/refusal.ts";

export type Noting = {
  readonly core: Core;
  readonly isNoted: () => boolean;
  /** Whoever was given the core may go on with it; nothing it does from now on is noted. */
  close(): void;
};

/**
 * A core whose first transaction also carries a note: both are committed, or neither. Once that was
 * refused there is nothing to note: what follows is the trace of a refusal.
 */
export function noting(core: Core, note: (unit: UnitOfWork) => Promise<void>): Noting {
  let state: "open" | "noted" | "closed" = "open";

  const transaction: Core["store"]["transaction"] = async (work) => {
    if (state !== "open") return core.store.transaction(work);
    try {
      let carriesNote = false;
      const result = await core.store.transaction(async (unit) => {
        const done = await work(unit);
        carriesNote = state === "open";
        if (carriesNote) await note(unit);
        return done;
      });
      if (carriesNote) state = "noted";
      return result;
    } catch (error) {
      // A conflict is tried again by whoever met it.
      const isFinal = error instanceof Refusal && error.code !== "VERSION_CONFLICT";
      if (isFinal && state === "open") state = "closed";
      throw error;
    }
  };
  return {
    core: { ...core, store: { ...core.store, transaction } },
    isNoted: () => state === "noted",
    close() {
      if (state === "open") state = "closed";
    },
  };
}
