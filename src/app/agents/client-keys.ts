import type { AgentId, TaskId } from "../../domain/ids.ts";

type Keys = Readonly<Record<string, string>>;

/**
 * Vendor keys that a client sent, for the agents it requested. They are never stored: after a
 * restart a queued agent waits until a client sends the same keys again.
 */
export type ClientKeys = {
  remember(owner: AgentId | TaskId, keys: Keys): void;
  /** A client has sent these keys; agents that lost theirs in a restart may use them. */
  offer(keys: Keys): void;
  /** A task has the keys of its requester, for the agents that are started for it later. */
  of(owner: AgentId | TaskId): Keys;
  /** undefined: at least one of the keys is missing. */
  find(owner: AgentId | TaskId, names: readonly string[]): Keys | undefined;
  forget(owner: AgentId | TaskId): void;
  /** Keeps the keys of a command until the returned function is called; its requests name the ticket. */
  lend(ticket: string, keys: Keys): () => void;
  /** undefined: no command with this ticket is connected. */
  lentBy(ticket: string): Keys | undefined;
};

export function createClientKeys(): ClientKeys {
  const byOwner = new Map<AgentId | TaskId, Keys>();
  // Not in `byOwner`: the id of an agent must not give access to its keys.
  const byTicket = new Map<string, Keys>();
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
    lend(ticket, keys) {
      byTicket.set(ticket, keys);
      return () => void byTicket.delete(ticket);
    },
    lentBy: (ticket) => byTicket.get(ticket),
  };
}
