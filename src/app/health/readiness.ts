import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";

export type StoreState = "ok" | "full" | "read-only" | "failed";

export type Readiness = {
  readonly ok: boolean;
  /** Whether the database accepts changes. */
  readonly store: StoreState;
  /** Agents of the daemon before are adopted, and the gateway has started. */
  readonly started: boolean;
};

/** Monitors need no token, so they must not be able to cause a write for every request. */
const REUSE_MS = 1_000;

/** Returns a function for monitors: whether the daemon can do its work now. */
export function createReadiness(
  { store, clock }: Pick<Core, "store" | "clock">,
  isStarted: () => boolean,
): () => Promise<Readiness> {
  let last: { readonly at: number; readonly state: Promise<StoreState> } | undefined;
  return async () => {
    const now = clock.now();
    // Absolute, because the clock may have been set back since.
    if (last === undefined || Math.abs(now - last.at) >= REUSE_MS) {
      last = { at: now, state: stateOf(store) };
    }
    const state = await last.state;
    const started = isStarted();
    return { ok: state === "ok" && started, store: state, started };
  };
}

async function stateOf(store: Core["store"]): Promise<StoreState> {
  try {
    await store.checkWritable();
    return "ok";
  } catch (error) {
    if (!(error instanceof Refusal)) return "failed";
    if (error.code === "STORE_FULL") return "full";
    return error.code === "STORE_READ_ONLY" ? "read-only" : "failed";
  }
}
