import type { Identity } from "../app/core.ts";
import type { Owner } from "./known-connections.ts";

/** Whose connections and sessions these are: an agent's, a person's, or of clients without a token. */
export function ownerOf(identity: Identity): Owner {
  if (identity.kind === "agent") return { id: `agent:${identity.agentId}`, isPerson: false };
  const { person } = identity;
  return person ? { id: `person:${person.id}`, isPerson: true } : { id: "main", isPerson: false };
}
