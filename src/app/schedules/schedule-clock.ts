import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { startDueSchedules } from "./start-due-schedules.ts";

/** Safety poll: timers stop while a machine sleeps, and the wall clock can be changed. */
const MAX_WAIT_MS = 30_000;
const RETRY_MS = 1_000;

const OVER = ["completed", "failed", "cancelled"];

export type ScheduleClock = { readonly stop: () => Promise<void> };

/** One timer for the next planned time of all schedules, computed from the rows. */
export function startScheduleClock(core: Core): ScheduleClock {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  function wake(afterMs: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(checkSoon, afterMs);
    timer.unref();
  }
  async function check(): Promise<void> {
    if (isStopped) return;
    const failed = await startDueSchedules(core);
    const due = await core.store.nextScheduleDue();
    if (due === undefined) return;
    const wait = Math.min(Math.max(due - core.clock.now(), 1), MAX_WAIT_MS);
    wake(failed > 0 ? RETRY_MS : wait);
  }
  const coalesced = runCoalesced(() =>
    check().catch((error: unknown) => {
      if (isStopped) return;
      core.log.error("Checking for due schedules failed; retrying.", { error: String(error) });
      wake(RETRY_MS);
    }),
  );
  function checkSoon(): void {
    if (!isStopped) running = coalesced();
  }

  const subscriptions = [
    core.events.on(["schedule:created", "schedule:updated"], checkSoon),
    core.events.on(["task:updated"], ({ data }) => {
      // A queued planned time may wait for this task.
      if (OVER.includes(data.status)) checkSoon();
    }),
  ];
  checkSoon();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const end of subscriptions) end();
      await running;
    },
  };
}
