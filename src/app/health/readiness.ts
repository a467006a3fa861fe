import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import { haveSameConfiguration, viewServers } from "../servers/view-servers.ts";

export type StoreState = "ok" | "full" | "read-only" | "failed";

export type Readiness = {
  readonly ok: boolean;
  /** Whether the database accepts changes. */
  readonly store: StoreState;
  /** Agents of the daemon before are adopted, and the gateway has started. */
  readonly started: boolean;
  /** Absent: no other server shares the database. */
  readonly servers?: { readonly count: number; readonly sameConfiguration: boolean };
};

/** Monitors need no token, so they must not be able to cause a write for every request. */
const REUSE_MS = 1_000;
/** Monitors wait for a few seconds, and a database behind a dead line does not answer at all. */
const ANSWER_WITHIN_MS = 3_000;

/** Returns a function for monitors: whether the daemon can do its work now. */
export function createReadiness(
  { store, clock, ...among }: Pick<Core, "store" | "clock" | "servers" | "serverId">,
  isStarted: () => boolean,
): () => Promise<Readiness> {
  let last: { readonly at: number; readonly found: Promise<Found> } | undefined;
  let isLooking = false;
  const lookAgain = async (): Promise<Found> => {
    isLooking = true;
    return look(store, among).finally(() => (isLooking = false));
  };
  return async () => {
    const now = clock.now();
    // Absolute, because the clock may have been set back since. Looks that have no answer yet must not
    // pile up: each of them takes a connection.
    if (last === undefined || (!isLooking && Math.abs(now - last.at) >= REUSE_MS)) {
      last = { at: now, found: lookAgain() };
    }
    const { state, servers } = await within(ANSWER_WITHIN_MS, last.found);
    const started = isStarted();
    return { ok: state === "ok" && started, store: state, started, ...(servers && { servers }) };
  };
}

type Found = { readonly state: StoreState; readonly servers?: Readiness["servers"] };

async function look(
  store: Core["store"],
  among: Pick<Core, "servers" | "serverId">,
): Promise<Found> {
  const state = await stateOf(store);
  if (state !== "ok") return { state };
  const servers = await viewServers(among).catch(() => []);
  if (servers.length <= 1) return { state };
  const sameConfiguration = haveSameConfiguration(servers);
  return { state, servers: { count: servers.length, sameConfiguration } };
}

async function within(ms: number, found: Promise<Found>): Promise<Found> {
  const late = Promise.withResolvers<Found>();
  const timer = setTimeout(() => late.resolve({ state: "failed" }), ms);
  return Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
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
