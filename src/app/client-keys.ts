import type { AgentId } from "../domain/ids.ts";

type Keys = Readonly<Record<string, string>>;

/**
 * Vendor keys that came with a client, for the agents that client asked for. Only ever in memory:
 * after a restart a queued agent waits until a client with the same keys is back.
 */
export type ClientKeys = {
  remember(agentId: AgentId, keys: Keys): void;
  /** A client came (back) with these; agents that lost theirs may use them. */
  offer(keys: Keys): void;
  /** undefined: at least one of the names is not known now. */
  find(agentId: AgentId, names: readonly string[]): Keys | undefined;
  forget(agentId: AgentId): void;
};

export function createClientKeys(): ClientKeys {
  const byAgent = new Map<AgentId, Keys>();
  let offered: Keys = {};
  return {
    remember: (agentId, keys) => void byAgent.set(agentId, keys),
    offer(keys) {
      offered = { ...offered, ...keys };
    },
    find(agentId, names) {
      const known = { ...offered, ...byAgent.get(agentId) };
      const found: Record<string, string> = {};
      for (const name of names) {
        const value = known[name];
        if (value === undefined) return undefined;
        found[name] = value;
      }
      return found;
    },
    forget: (agentId) => void byAgent.delete(agentId),
  };
}
