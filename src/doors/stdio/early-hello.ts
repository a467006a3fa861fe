import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "../../contract/introduction.ts";

/** Those whose answer is known to be the daemon's; to any other the daemon answers itself. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/**
 * The answer to a client's `initialize`, word for word what the daemon will say: while a daemon
 * starts, its client need not wait. Undefined for whatever is not plainly that.
 */
export function earlyHello(line: string, version: string): string | undefined {
  const { jsonrpc, id, method, params } = recordIn(line);
  if (jsonrpc !== "2.0" || method !== "initialize") return undefined;
  if (typeof id !== "string" && !Number.isInteger(id)) return undefined;
  if (!isRecord(params) || !isRecord(params["capabilities"])) return undefined;
  const { protocolVersion, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !REVISIONS.includes(protocolVersion)) return undefined;
  if (!isRecord(clientInfo)) return undefined;
  if (typeof clientInfo["name"] !== "string" || typeof clientInfo["version"] !== "string") {
    return undefined;
  }
  const result = {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: { ...SERVER_INFO, version },
    instructions: INSTRUCTIONS,
  };
  return JSON.stringify({ result, jsonrpc, id });
}

function recordIn(line: string): Record<string, unknown> {
  try {
    const message: unknown = JSON.parse(line);
    return isRecord(message) ? message : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
