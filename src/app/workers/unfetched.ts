import type { AgentId } from "../../domain/ids.ts";
import type { Unfetched } from "../ports/agent-host.ts";

/** People may push the commit, or give the worker access, meanwhile. */
const AGAIN_AFTER_MS = 300_000;

/** Measured with a monotonic clock. */
export function createUnfetched(now: () => number = () => performance.now()): Unfetched {
  const until = new Map<AgentId, number>();
  return {
    has(agentId) {
      const end = until.get(agentId);
      if (end === undefined) return false;
      if (end > now()) return true;
      until.delete(agentId);
      return false;
    },
    add: (agentId) => void until.set(agentId, now() + AGAIN_AFTER_MS),
  };
}
