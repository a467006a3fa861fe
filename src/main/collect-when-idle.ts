import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Live } from "../app/live.ts";

/** How many agents leave behind enough to be worth the pause. */
const WORTH_AGENTS = 100;
const QUIET_MS = 1_000;

export type CollectWhenIdle = {
  readonly live: Pick<Live, "subscribe">;
  /** Whether an agent runs or waits. */
  readonly isBusy: () => Promise<boolean>;
  readonly quietMs?: number;
  readonly collect?: () => void;
};

/**
 * V8 collects when it wants room, so after a long day the daemon would keep 100 MB of garbage for as
 * long as nothing happens. A fleet that has come to rest gives it back; while anything is going on,
 * nobody has to wait for this.
 */
export function collectWhenIdle(options: CollectWhenIdle): { readonly stop: () => void } {
  const { live, isBusy, quietMs = QUIET_MS, collect = collectAll } = options;
  let settled = 0;
  let timer: NodeJS.Timeout | undefined;

  const unsubscribe = live.subscribe((event) => {
    if (event.type === "agent:completed") settled++;
    if (timer) timer.refresh();
    else if (settled >= WORTH_AGENTS) timer = setTimeout(() => void rest(), quietMs).unref();
  });
  async function rest(): Promise<void> {
    timer = undefined;
    // The end of whoever is still there sets the timer again. Not knowing is being busy.
    if (await isBusy().catch(() => true)) return;
    settled = 0;
    collect();
  }
  return {
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

/** `last-resort`: any other collection keeps the pages it has emptied. */
function collectAll(): void {
  setFlagsFromString("--expose-gc");
  const gc: (options: Record<string, string>) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc({ type: "major", flavor: "last-resort" });
}
