import { randomUUID } from "node:crypto";
import type { UpstreamFaultKind } from "../../app/ports/upstream.ts";

/** No server can know it, so no server can put these words into our mouth. */
const MARK = randomUUID();
const CODE = -32_099;

export type RequestId = string | number;

/** An answer in the place of one that did not come or was too much, so that the call hears of it. */
export function ownError(id: RequestId, kind: UpstreamFaultKind, message: string) {
  return {
    jsonrpc: "2.0" as const,
    id,
    error: { code: CODE, message, data: { mark: MARK, kind } },
  };
}

export function kindOfOwnError(data: unknown): UpstreamFaultKind | undefined {
  if (typeof data !== "object" || data === null || !("mark" in data) || !("kind" in data)) {
    return undefined;
  }
  if (data.mark !== MARK) return undefined;
  return data.kind === "too_large" || data.kind === "lost" ? data.kind : undefined;
}

const START = String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?`;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")`;
const IS_NO_ANSWER = new RegExp(String.raw`${START}(?:${ID}\s*,\s*)?"method"\s*:`);
const ID_FIRST = new RegExp(`${START}${ID}`);
// One closing brace: deeper inside there would be more of them.
const ID_LAST = new RegExp(String.raw`${ID}(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0")?\s*\}\s*$`);

/**
 * Whose answer a message was that is too long to read: the id is at the one end or the other.
 * null: no answer at all; undefined: it cannot be told.
 */
export function answeredId(head: string, tail: string): RequestId | null | undefined {
  if (IS_NO_ANSWER.test(head)) return null;
  const found = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  if (found === undefined) return undefined;
  return found.startsWith('"') ? found.slice(1, -1) : Number(found);
}
