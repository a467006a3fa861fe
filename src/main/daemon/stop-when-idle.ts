import type { Store } from "../../app/ports/store.ts";
import type { DaemonStatus } from "../../contract/hello.ts";

const IDLE_MS = 10 * 60_000;
const CHECK_EVERY_MS = 15_000;

export type StopWhenIdle = {
  readonly status: () => Promise<DaemonStatus>;
  readonly store: Pick<Store, "nextAlertDue" | "nextScheduleDue">;
  readonly stop: () => Promise<void>;
};

/**
 * A daemon started by a shim ends after ten minutes without a client, an agent, a task, a pending alert
 * or an active schedule.
 */
export function stopWhenIdle({ status, store, stop }: StopWhenIdle) {
  let idleSince = Date.now();
  const timer = setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS);
  timer.unref();

  async function check(): Promise<void> {
    const found = await status().catch(() => undefined);
    if (!found || found.storeProblem) return;
    const { clients, agents, tasks } = found;
    const work = agents.live + agents.waiting + tasks.unfinished + tasks.approvals;
    if (clients + work > 0 || (await isWaiting(store))) idleSince = Date.now();
    if (Date.now() - idleSince < IDLE_MS) return;
    clearInterval(timer);
    await stop();
    process.exit(0);
  }
  return { stop: () => clearInterval(timer) };
}

/** Alerts wait for their time or the next try, schedules for their next planned time. */
async function isWaiting(store: StopWhenIdle["store"]): Promise<boolean> {
  const due = [await store.nextAlertDue(0), await store.nextScheduleDue()];
  return due.some((at) => at !== undefined);
}
