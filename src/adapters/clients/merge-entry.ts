import { fieldsOf, type Fields, isRecord } from "../../base/narrow.ts";

/** How entries of remote servers name their address, depending on the client. */
const ADDRESSES = ["url", "httpUrl", "serverUrl"];

/**
 * Our entry, with what a person has added to the existing one or set differently. Only the command
 * line is always ours. An entry that reaches us over HTTP stays as it is.
 */
export function mergeEntry(existing: Fields | undefined, ours: Fields): Fields {
  if (existing === undefined) return ours;
  if (ADDRESSES.some((key) => key in existing)) return existing;
  const commandLine = Object.fromEntries(
    Object.entries(ours).filter(([key]) => key === "command" || key === "args"),
  );
  const env = isRecord(ours["env"]) && { env: { ...ours["env"], ...fieldsOf(existing["env"]) } };
  return { ...ours, ...existing, ...env, ...commandLine };
}
