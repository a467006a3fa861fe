import type { Core } from "../../app/core.ts";
import type { UnitOfWork } from "../../app/ports/store.ts";
import { Refusal } from "../../domain/refusal.ts";

export type WithIdempotencyRecord = {
  readonly core: Core;
  readonly isRecorded: () => boolean;
  /** Later transactions of this core no longer write the record. */
  close(): void;
};

/**
 * A core whose first transaction also writes the record: both are committed or neither is. After a
 * refusal the record is not written, because later transactions only audit the refusal.
 */
export function withIdempotencyRecord(
  core: Core,
  write: (unit: UnitOfWork) => Promise<void>,
): WithIdempotencyRecord {
  let state: "open" | "recorded" | "closed" = "open";

  const transaction: Core["store"]["transaction"] = async (work) => {
    if (state !== "open") return core.store.transaction(work);
    try {
      let carriesRecord = false;
      const result = await core.store.transaction(async (unit) => {
        const done = await work(unit);
        carriesRecord = state === "open";
        if (carriesRecord) await write(unit);
        return done;
      });
      if (carriesRecord) state = "recorded";
      return result;
    } catch (error) {
      // The use case retries after a version conflict.
      const isFinal = error instanceof Refusal && error.code !== "VERSION_CONFLICT";
      if (isFinal && state === "open") state = "closed";
      throw error;
    }
  };
  return {
    core: { ...core, store: { ...core.store, transaction } },
    isRecorded: () => state === "recorded",
    close() {
      if (state === "open") state = "closed";
    },
  };
}
