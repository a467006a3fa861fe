import { LONGEST_TIMER_MS } from "../../base/longest-timer.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Clock } from "../ports/world.ts";

/** Timers per agent. In memory only: a restarted daemon rebuilds them from the store. */
export type Deadlines = {
  /** The earliest of several deadlines for one agent and name wins. */
  set(agentId: AgentId, name: string, at: number, due: () => void): void;
  clear(agentId: AgentId): void;
  /** For good: what fails after it sets no deadline to try again. */
  close(): void;
};

/**
 * A host that was lost and is back may get the next attempt of an agent while it still has timers of
 * an earlier one. With the same name the earlier timer would win.
 */
export function nameOfAttempt(name: string, { attempt }: Pick<Agent, "attempt">): string {
  return `${name} of attempt ${attempt}`;
}

export function createDeadlines(clock: Clock): Deadlines {
  const timers = new Map<AgentId, Map<string, { at: number; timer: NodeJS.Timeout }>>();
  let isClosed = false;

  function arm(agentId: AgentId, name: string, at: number, due: () => void): void {
    const wait = Math.max(0, at - clock.now());
    const ofAgent = timers.get(agentId) ?? new Map();
    const timer = setTimeout(
      () => {
        if (wait > LONGEST_TIMER_MS) return arm(agentId, name, at, due);
        // Delete the timer first: `due` may set one with the same name.
        ofAgent.delete(name);
        if (ofAgent.size === 0 && timers.get(agentId) === ofAgent) timers.delete(agentId);
        due();
      },
      Math.min(wait, LONGEST_TIMER_MS),
    );
    ofAgent.set(name, { at, timer });
    timers.set(agentId, ofAgent);
  }

  return {
    set(agentId, name, at, due) {
      if (isClosed) return;
      const known = timers.get(agentId)?.get(name);
      if (known && known.at <= at) return;
      if (known) clearTimeout(known.timer);
      arm(agentId, name, at, due);
    },
    clear(agentId) {
      for (const { timer } of timers.get(agentId)?.values() ?? []) clearTimeout(timer);
      timers.delete(agentId);
    },
    close() {
      isClosed = true;
      for (const agentId of timers.keys()) this.clear(agentId);
    },
  };
}
