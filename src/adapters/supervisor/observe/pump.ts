import type { TrackedAgent } from "./tracked-agent.ts";

const AGENT_BUDGET_MS = 4;
const SLICE_BUDGET_MS = 8;
/** Writes that come close together are read together. */
const GATHER_MS = 10;

/** How long one slice took, and how much of that this thread was really at work. */
export type Slice = { readonly wallMs: number; readonly cpuMs: number };

/**
 * Gives every agent with something to do a little time, in turn, and then lets everybody else in
 * the process have theirs.
 */
export function createPump(options: {
  /** Works until then at the latest; answers whether more is waiting. */
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
    // Whoever has more goes to the end of the set, and this loop comes round to them.
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
