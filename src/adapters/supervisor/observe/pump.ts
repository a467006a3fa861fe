import type { TrackedAgent } from "./tracked-agent.ts";

const AGENT_BUDGET_MS = 4;
const SLICE_BUDGET_MS = 8;
/** Debounce: writes that come close together are read together. */
const GATHER_MS = 10;

/** Wall-clock and CPU time of one slice. */
export type Slice = { readonly wallMs: number; readonly cpuMs: number };

/**
 * Gives every agent with something to do a little time, in turn, and yields to the event loop after
 * each slice.
 */
export function createPump(options: {
  /** Works until that time at the latest; answers whether there is more to do. */
  readonly step: (agent: TrackedAgent, until: number) => boolean;
  readonly afterSlice: () => void;
  readonly onSlice?: ((slice: Slice) => void) | undefined;
}) {
  const { step, afterSlice, onSlice } = options;
  const dirty = new Set<TrackedAgent>();
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  function slice(): void {
    timer = undefined;
    immediate = undefined;
    const before = onSlice && process.threadCpuUsage();
    const began = performance.now();
    let now = began;
    // Round robin: an agent with more to do is added at the end of the set, and visited again.
    for (const agent of dirty) {
      dirty.delete(agent);
      if (step(agent, Math.min(now + AGENT_BUDGET_MS, began + SLICE_BUDGET_MS))) dirty.add(agent);
      now = performance.now();
      if (now - began >= SLICE_BUDGET_MS) break;
    }
    afterSlice();
    if (before) {
      const { user, system } = process.threadCpuUsage(before);
      onSlice?.({ wallMs: performance.now() - began, cpuMs: (user + system) / 1_000 });
    }
    if (dirty.size > 0) soon();
  }

  function soon(): void {
    clearTimeout(timer);
    timer = undefined;
    immediate ??= setImmediate(slice);
  }

  return {
    /** Output can wait a moment for more of it; a start or an end cannot. */
    kick(agent: TrackedAgent, when: "now" | "gather"): void {
      dirty.add(agent);
      if (when === "now") soon();
      else if (!immediate) timer ??= setTimeout(slice, GATHER_MS);
    },
    close(): void {
      clearTimeout(timer);
      clearImmediate(immediate);
      dirty.clear();
    },
  };
}
