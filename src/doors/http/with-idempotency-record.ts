import type { Core } from "../../app/core.ts";
import type { UnitOfWork } from "../../app/ports/store.ts";
import { Refusal } from "../../domain/refusal.ts";

export type WithIdempotencyRecord = {
  readonly core: Core;
  readonly isRecorded: () => boolean;
  /** Another server carries out the request, or has done so; nothing was changed here. */
  readonly isTaken: () => boolean;
  /** Later transactions of this core no longer write the record. */
  close(): void;
};

/**
 * A core whose first transaction also writes the record: both are committed or neither is. The record
 * is written first: if it is there already, nothing else is done. After a refusal the record is not
 * written, because later transactions only audit the refusal.
 */
export function withIdempotencyRecord(
  core: Core,
  insert: (unit: UnitOfWork) => Promise<boolean>,
): WithIdempotencyRecord {
  let state: "open" | "recorded" | "taken" | "closed" = "open";

  const transaction: Core["store"]["transaction"] = async (work) => {
    if (state === "taken") throw taken();
    if (state !== "open") return core.store.transaction(work);
    try {
      let carriesRecord = false;
      const result = await core.store.transaction(async (unit) => {
        carriesRecord = state === "open";
        if (carriesRecord && !(await insert(unit))) {
          state = "taken";
          throw taken();
        }
        return work(unit);
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
    isTaken: () => state === "taken",
    close() {
      if (state === "open") state = "closed";
    },
  };
}

/** A refusal, because it is expected: the door answers with what the other server has answered. */
function taken(): Refusal {
  return new Refusal("OUTCOME_UNKNOWN", {
    en: ["Another server carries out the request with this Idempotency-Key.", "Ask again."],
    ja: [
      "同じ Idempotency-Key のリクエストを別のサーバーが実行しています。",
      "もう一度送ってください。",
    ],
  });
}
