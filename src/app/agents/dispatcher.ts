import type { Core } from "../core.ts";
import { dispatchAgents } from "./dispatch-agents.ts";

const RETRY_MS = 1_000;

/** Fills free slots on request, one round at a time; requests during a round make one more. */
export function createDispatcher(core: () => Core) {
  let running: Promise<void> | undefined;
  let again = false;
  /** Until the doors are open: an agent started before would have no address to report to. */
  let closed = true;

  const isClosed = (): boolean => closed;

  async function rounds(): Promise<void> {
    do {
      again = false;
      await dispatchAgents(core(), isClosed);
    } while (again && !isClosed());
  }

  function dispatchSoon(): void {
    again = true;
    if (running || closed) return;
    running = rounds()
      .catch((error: unknown) => {
        core().log.error("Waiting agents could not be started; trying again.", {
          error: String(error),
        });
        setTimeout(dispatchSoon, RETRY_MS).unref();
      })
      .finally(() => {
        running = undefined;
        if (again && !closed) dispatchSoon();
      });
  }

  return {
    dispatchSoon,
    open(): void {
      closed = false;
      dispatchSoon();
    },
    /** Resolves when the round under way is over: from then on nothing starts. */
    async pause(): Promise<void> {
      closed = true;
      await running;
    },
    async close(): Promise<void> {
      closed = true;
      await running;
    },
  };
}
