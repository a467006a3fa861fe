import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { expireApprovals } from "./expire-approvals.ts";

/** Timers stand still while a machine sleeps, and people set clocks: look at the time this often. */
const LONGEST_WAIT_MS = 60_000;
const RETRY_MS = 1_000;

export type ApprovalClock = { readonly stop: () => void };

/** One timer for the next reminder or expiry of all approvals, computed from the rows. */
export function startApprovalClock(core: Core): ApprovalClock {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function wake(afterMs: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void lookSoon(), afterMs);
    timer.unref();
  }
  async function look(): Promise<void> {
    if (isStopped) return;
    const failed = await expireApprovals(core);
    const due = await core.store.nextApprovalDue();
    if (due === undefined) return;
    const wait = Math.min(Math.max(due - core.clock.now(), 1), LONGEST_WAIT_MS);
    wake(failed > 0 ? Math.max(wait, RETRY_MS) : wait);
  }
  const lookSoon = runCoalesced(() =>
    look().catch((error: unknown) => {
      if (isStopped) return;
      core.log.error("Approvals could not be looked at; trying again.", { error: String(error) });
      wake(RETRY_MS);
    }),
  );

  const unsubscribe = core.events.on(
    ["approval:requested", "approval:extended"],
    () => void lookSoon(),
  );
  void lookSoon();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
