import type { AgentId, TaskId } from "../../domain/ids.ts";

type Keys = Readonly<Record<string, string>>;

/**
 * Vendor keys that came with a client, for the agents that client asked for. Only ever in memory:
 * after a restart a queued agent waits until a client with the same keys is back.
 */
export type ClientKeys = {
  remember(owner: AgentId | TaskId, keys: Keys): void;
  /** A client came (back) with these; agents that lost theirs may use them. */
  offer(keys: Keys): void;
  /** Of a task: what its requester had, for the agents that are started for it later. */
  of(owner: AgentId | TaskId): Keys;
  /** undefined: at least one of the names is not known now. */
  find(owner: AgentId | TaskId, names: readonly string[]): Keys | undefined;
  forget(owner: AgentId | TaskId): void;
};

export function createClientKeys(): ClientKeys {
  const byOwner = new Map<AgentId | TaskId, Keys>();
  let offered: Keys = {};
  return {
    remember: (owner, keys) => void byOwner.set(owner, keys),
    offer(keys) {
      offered = { ...offered, ...keys };
    },
    of: (owner) => byOwner.get(owner) ?? {},
    find(owner, names) {
      const known = { ...offered, ...byOwner.get(owner) };
      const found: Record<string, string> = {};
      for (const name of names) {
        const value = known[name];
        if (value === undefined) return undefined;
        found[name] = value;
      }
      return found;
    },
    forget: (owner) => void byOwner.delete(owner),
  };
}
