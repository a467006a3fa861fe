import { LONGEST_TIMER_MS } from "../../base/longest-timer.ts";
import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { dispatchAgents } from "./dispatch-agents.ts";

const RETRY_MS = 1_000;
/** Another host that was to run an agent may be gone, and that is no event. */
const LOOK_AGAIN_MS = 3_000;

/** Fills free slots on request, one round at a time; requests during a round cause one more. */
export function createDispatcher(core: () => Core) {
  /** Starts no agent before the doors are open: it would have no address to report to. */
  let closed = true;
  let running = Promise.resolve();
  let pauseTimer: NodeJS.Timeout | undefined;
  let againTimer: NodeJS.Timeout | undefined;

  const isClosed = (): boolean => closed;

  const dispatch = runCoalesced(async () => {
    if (closed) return;
    try {
      const hasLeftSome = await dispatchAgents(core(), isClosed);
      if (hasLeftSome && core().serverId !== null) lookAgainIn(LOOK_AGAIN_MS);
    } catch (error) {
      core().log.error("Waiting agents could not be started; trying again.", {
        error: String(error),
      });
      lookAgainIn(RETRY_MS);
    }
    wakeAtEndOfPause();
  });

  function lookAgainIn(ms: number): void {
    clearTimeout(againTimer);
    againTimer = setTimeout(dispatchSoon, ms).unref();
  }

  /** A pause ends without an event. */
  function wakeAtEndOfPause(): void {
    clearTimeout(pauseTimer);
    const { health, clock } = core();
    const ends = health.problems().flatMap(({ until }) => until ?? []);
    const next = Math.min(...ends.filter((until) => until > clock.now()));
    if (next === Infinity) return;
    const wait = Math.min(next - clock.now(), LONGEST_TIMER_MS);
    pauseTimer = setTimeout(dispatchSoon, wait).unref();
  }

  function dispatchSoon(): void {
    if (!closed) running = dispatch();
  }

  /** Resolves when the current round is over; after that no agent starts. */
  async function pause(): Promise<void> {
    closed = true;
    await running;
    clearTimeout(pauseTimer);
    clearTimeout(againTimer);
  }

  return {
    dispatchSoon,
    open(): void {
      closed = false;
      dispatchSoon();
    },
    pause,
    close: pause,
  };
}
