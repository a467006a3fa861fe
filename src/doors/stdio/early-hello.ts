import { fieldsOf, isRecord, parseJson } from "../../base/narrow.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "../../contract/introduction.ts";

/** Protocol revisions for which this answer equals the daemon's; the daemon answers all others. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/**
 * The answer to a client's `initialize`, identical to the daemon's, so that the client need not wait
 * while the daemon starts. Undefined for any other line.
 */
export function earlyHello(line: string, version: string): string | undefined {
  const { jsonrpc, id, method, params, ...rest } = fieldsOf(parseJson(line));
  if (jsonrpc !== "2.0" || method !== "initialize" || !isEmpty(rest)) return undefined;
  if (typeof id !== "string" && !Number.isInteger(id)) return undefined;
  const protocolVersion = revisionIn(params);
  if (protocolVersion === undefined) return undefined;
  const result = {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: { ...SERVER_INFO, version },
    instructions: INSTRUCTIONS,
  };
  return JSON.stringify({ result, jsonrpc, id });
}

/** Undefined if a field is missing, or if there is one that the daemon might handle differently. */
function revisionIn(params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const { protocolVersion, capabilities, clientInfo, ...rest } = params;
  if (!isEmpty(rest) || !isRecord(capabilities) || !isRecord(clientInfo)) return undefined;
  if (!Object.values(capabilities).every(isRecord)) return undefined;
  const { name, version, title = "", ...more } = clientInfo;
  if (![name, version, title].every((each) => typeof each === "string")) return undefined;
  if (!isEmpty(more) || typeof protocolVersion !== "string") return undefined;
  return REVISIONS.includes(protocolVersion) ? protocolVersion : undefined;
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
