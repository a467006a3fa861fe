/** After this many agents there is enough garbage to be worth the pause. */
const WORTH_AGENTS = 100;

/**
 * Collects garbage after many agents, while none is alive: an idle V8 would keep the memory.
 */
export function collectWhenUnused(collect: () => void) {
  let launched = 0;
  return {
    launched: () => void (launched += 1),
    /** Call it periodically. */
    look(liveAgents: number): void {
      if (liveAgents > 0 || launched < WORTH_AGENTS) return;
      launched = 0;
      collect();
    },
  };
}
