import { stringify } from "smol-toml";
import type { ClientId } from "../../contract/mcp-clients.ts";
import type { ClientEntry } from "./client-entry.ts";
import { withValue } from "./merged-text.ts";

/** A whole file with nothing but the entry. */
export function renderEntry(client: ClientId, { keys, entry }: ClientEntry): string {
  if (client === "codex") return `[${keys.join(".")}]\n${stringify(entry)}`.trimEnd();
  return JSON.stringify(withValue({}, keys, entry), null, 2);
}
