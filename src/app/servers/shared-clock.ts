import type { Clock, Log } from "../ports/world.ts";

/** Smaller differences may be the time that the question took, and would make the clock jitter. */
const TOLERANCE_MS = 500;
/** A host that is wrong by more than this needs a person. */
const WARN_MS = 2_000;
/** An answer that took longer says too little about the time. */
const MAX_QUESTION_MS = 1_000;
const FIRST_QUESTIONS = 5;
const WRONG = "The clock of this host is wrong; the time of the database is used instead.";

/** The clock of the database, for everything that servers decide by the time. */
export type SharedClock = Clock & {
  /** How much later it is there than on this host. */
  offsetMs(): number;
  /** How far the clock of this host is ahead, in whole seconds; 0: not so much that it matters. */
  wrongMs(): number;
  /** Compares it with the database; rejects if that does not answer. */
  compare(): Promise<void>;
};

export type CreateSharedClock = {
  /** The clock of this host. */
  readonly host: Clock;
  readonly monotonic?: () => number;
  /** The time of the database. */
  readonly ask: () => Promise<number>;
  readonly log: Log;
};

/**
 * Servers whose clocks differ must not disagree about what is due. The time runs with the monotonic
 * clock from the last comparison on: a person or NTP may set the clock of the host at any time.
 */
export async function createSharedClock(options: CreateSharedClock): Promise<SharedClock> {
  const { host, ask, log, monotonic = () => performance.now() } = options;
  let base = { time: host.now(), at: monotonic() };
  let wrongMs = 0;
  const now = (): number => Math.round(base.time + monotonic() - base.at);

  async function measure() {
    const before = monotonic();
    const there = await ask();
    const at = monotonic();
    // It was asked for about in the middle.
    return { time: there + (at - before) / 2, at, tookMs: at - before };
  }
  function use({ time, at }: { readonly time: number; readonly at: number }): void {
    const shown = base.time + at - base.at;
    if (Math.abs(time - shown) > TOLERANCE_MS) base = { time, at };
    note(host.now() - (time + monotonic() - at));
  }
  function note(aheadMs: number): void {
    // A clock that stays about as wrong is warned of once.
    if (wrongMs !== 0 && Math.abs(aheadMs - wrongMs) < WARN_MS && Math.abs(aheadMs) > 1_000) return;
    const found = Math.abs(aheadMs) > WARN_MS ? Math.round(aheadMs / 1_000) * 1_000 : 0;
    if (found === wrongMs) return;
    wrongMs = found;
    if (found === 0) log.info("The clock of this host is right again.");
    else log.warn(WRONG, { aheadMs: found });
  }

  // The first question also opens the connection; the fastest one says most.
  let first = await measure();
  for (let n = 1; n < FIRST_QUESTIONS; n++) {
    const again = await measure();
    if (again.tookMs < first.tookMs) first = again;
  }
  use(first);
  return {
    now,
    offsetMs: () => now() - host.now(),
    wrongMs: () => wrongMs,
    async compare() {
      const measured = await measure();
      if (measured.tookMs <= MAX_QUESTION_MS) use(measured);
    },
  };
}
