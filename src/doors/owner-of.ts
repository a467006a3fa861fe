import type { Identity } from "../app/core.ts";
import type { Owner } from "./known-connections.ts";

/** The owner of a connection or session; all clients without a token are one owner. */
export function ownerOf(identity: Identity): Owner {
  switch (identity.kind) {
    case "agent":
      return { id: `agent:${identity.agentId}`, isPerson: false };
    case "person":
      return { id: `person:${identity.person.id}`, isPerson: true };
    case "client":
      return { id: "client", isPerson: false };
  }
}
