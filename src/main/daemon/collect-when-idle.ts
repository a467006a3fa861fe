import { collectGarbage } from "../../adapters/collect-garbage.ts";
import type { Events } from "../../app/events.ts";

/** The garbage of this many agents is worth the pause of a collection. */
const WORTH_AGENTS = 100;
const QUIET_MS = 1_000;
/** A start leaves 20 MB of garbage (parsed code, migrations); clients that wait for it come first. */
const AFTER_START_MS = 10_000;

export type CollectWhenIdle = {
  readonly events: Pick<Events, "onAny">;
  /** Whether an agent runs or waits. */
  readonly isBusy: () => Promise<boolean>;
  readonly quietMs?: number;
  readonly afterStartMs?: number;
  readonly collect?: () => void;
};

/**
 * V8 collects when it needs room, so an idle daemon would keep the garbage of its start, and 100 MB
 * after a long day, for as long as nothing happens. This collects once after the start and after
 * many agents, and only while no agent runs or waits.
 */
export function collectWhenIdle(options: CollectWhenIdle): { readonly stop: () => void } {
  const { events, isBusy, quietMs = QUIET_MS, collect = collectGarbage } = options;
  // The start counts as many agents: if it is not quiet by then, the next quiet moment is used.
  let settled = WORTH_AGENTS;
  let timer: NodeJS.Timeout | undefined = setTimeout(
    () => void rest(),
    options.afterStartMs ?? AFTER_START_MS,
  ).unref();

  const unsubscribe = events.onAny(({ type }) => {
    if (type === "agent:completed") settled++;
    if (timer) timer.refresh();
    else if (settled >= WORTH_AGENTS) timer = setTimeout(() => void rest(), quietMs).unref();
  });
  async function rest(): Promise<void> {
    timer = undefined;
    // The end of a running agent sets the timer again. An error counts as busy.
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
