import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { deliverTo } from "./deliver-alerts.ts";
import { recordAlerts } from "./record-alerts.ts";
import { ALERTING_EVENTS } from "./subjects-of.ts";

/** Safety poll: timers stop while a machine sleeps, and the wall clock can be changed. */
const MAX_WAIT_MS = 60_000;
const RETRY_MS = 1_000;
/** Another server sends them; this one looks whether it has become the leader. */
const NOT_LEADER_MS = 5_000;
const MAX_DUE = 1_000;

export type AlertOutbox = {
  /** Resolves once the open sends have ended; they are aborted. */
  readonly stop: () => Promise<void>;
};

/**
 * Records alerts and sends those that are due, one message per target at a time, so that a slow
 * receiver delays no other. Everything is computed from the rows: a restarted daemon continues.
 */
export function startAlertOutbox(core: Core): AlertOutbox {
  const stopped = new AbortController();
  const sending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => void roundSoon(), afterMs);
    timer.unref();
  }
  async function round(): Promise<void> {
    if (!core.isLeader()) return schedule(NOT_LEADER_MS);
    await recordAlerts(core);
    const now = core.clock.now();
    const due = await core.store.listDueAlerts(now, MAX_DUE);
    for (const target of new Set(due.map((alert) => alert.target))) start(target);
    const next = await core.store.nextAlertDue(now);
    if (next !== undefined) schedule(Math.min(Math.max(next - core.clock.now(), 1), MAX_WAIT_MS));
  }
  function start(target: string): void {
    if (sending.has(target) || stopped.signal.aborted) return;
    const done = deliverTo(core, target, stopped.signal)
      .catch(fail)
      .finally(() => {
        sending.delete(target);
        // Its alerts that became due in the meantime, and the time of the next try.
        void roundSoon();
      });
    sending.set(target, done);
  }
  function fail(error: unknown): void {
    if (stopped.signal.aborted) return;
    core.log.error("Sending alerts failed; trying again.", { error: String(error) });
    schedule(RETRY_MS);
  }
  const roundSoon = runCoalesced(async () => {
    if (!stopped.signal.aborted) await round().catch(fail);
  });

  const unsubscribe = core.events.on([...ALERTING_EVENTS, "config:updated"], ({ type }) => {
    // Without rules nothing is recorded, but a reload may have removed the last one.
    const isOff = core.settings.alerts.rules.length === 0;
    if (!isOff || type === "config:updated") void roundSoon();
  });
  void roundSoon();
  return {
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      unsubscribe();
      await Promise.all(sending.values());
    },
  };
}
