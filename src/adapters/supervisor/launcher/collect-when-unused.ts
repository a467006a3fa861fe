/** How many agents leave behind enough garbage to be worth the pause. */
const WORTH_AGENTS = 100;

/**
 * Gives memory back after many agents, in a moment without any: V8 alone would keep it for as long
 * as the launcher has nothing to do.
 */
export function collectWhenUnused(collect: () => void) {
  let launched = 0;
  return {
    launched: () => void (launched += 1),
    /** To be called now and then. */
    look(liveAgents: number): void {
      if (liveAgents > 0 || launched < WORTH_AGENTS) return;
      launched = 0;
      collect();
    },
  };
}
