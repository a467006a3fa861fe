import { isInitialize } from "./conversation.ts";
import { readRpcLine } from "./json-rpc-line.ts";

/**
 * Drops a request that is still held and that this line cancels; neither is sent. False: the line
 * is not a cancellation, or the daemon may already have the request.
 */
export function dropCancelled(held: string[], line: string): boolean {
  const rpc = readRpcLine(line);
  if (rpc.kind !== "notification" || rpc.method !== "notifications/cancelled") return false;
  const at = held.findLastIndex((each) => {
    const request = readRpcLine(each);
    return request.kind === "request" && request.id === rpc.requestId && !isInitialize(each);
  });
  if (at === -1) return false;
  held.splice(at, 1);
  return true;
}

/**
 * Removes and returns the requests that no daemon serves. An agent's reports and the handshake that
 * they need are kept, because otherwise its work would be lost.
 */
export function takeUnserved(held: string[], isAgent: boolean): string[] {
  const isTaken = (line: string): boolean =>
    readRpcLine(line).kind === "request" && !(isAgent && (isReport(line) || isInitialize(line)));
  const taken = held.filter(isTaken);
  held.splice(0, held.length, ...held.filter((line) => !isTaken(line)));
  return taken;
}

export function isReport(line: string): boolean {
  const rpc = readRpcLine(line);
  return rpc.kind === "request" && rpc.tool?.startsWith("report_") === true;
}
