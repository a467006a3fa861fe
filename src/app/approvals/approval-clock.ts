import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { expireApprovals } from "./expire-approvals.ts";

/** Safety poll: timers stop while a machine sleeps, and the wall clock can be changed. */
const MAX_WAIT_MS = 60_000;
const RETRY_MS = 1_000;

export type ApprovalClock = { readonly stop: () => void };

/** One timer for the next reminder or expiry of all approvals, computed from the rows. */
export function startApprovalClock(core: Core): ApprovalClock {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void checkSoon(), afterMs);
    timer.unref();
  }
  async function check(): Promise<void> {
    if (isStopped) return;
    const failed = await expireApprovals(core);
    const due = await core.store.nextApprovalDue();
    if (due === undefined) return;
    const wait = Math.min(Math.max(due - core.clock.now(), 1), MAX_WAIT_MS);
    schedule(failed > 0 ? Math.max(wait, RETRY_MS) : wait);
  }
  const checkSoon = runCoalesced(() =>
    check().catch((error: unknown) => {
      if (isStopped) return;
      core.log.error("Checking for due approvals failed; retrying.", { error: String(error) });
      schedule(RETRY_MS);
    }),
  );

  const unsubscribe = core.events.on(
    ["approval:requested", "approval:extended"],
    () => void checkSoon(),
  );
  void checkSoon();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
