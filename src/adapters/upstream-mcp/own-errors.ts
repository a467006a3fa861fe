import { randomUUID } from "node:crypto";
import type { UpstreamFaultKind } from "../../app/ports/upstream.ts";
import { fieldsOf } from "../../base/narrow.ts";

/** A secret that no server knows, so that no server can forge our errors. */
const MARK = randomUUID();
const CODE = -32_099;

export type RequestId = string | number;

/** An error answer in place of one that was lost or too large, so that the call ends. */
export function ownError(id: RequestId, kind: UpstreamFaultKind, message: string) {
  return {
    jsonrpc: "2.0" as const,
    id,
    error: { code: CODE, message, data: { mark: MARK, kind } },
  };
}

export function kindOfOwnError(data: unknown): UpstreamFaultKind | undefined {
  const { mark, kind } = fieldsOf(data);
  return mark === MARK && (kind === "too_large" || kind === "lost") ? kind : undefined;
}

const START = String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?`;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")`;
const IS_NO_ANSWER = new RegExp(String.raw`${START}(?:${ID}\s*,\s*)?"method"\s*:`);
const ID_FIRST = new RegExp(`${START}${ID}`);
// Exactly one closing brace: an id deeper inside would be followed by more.
const ID_LAST = new RegExp(String.raw`${ID}(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0")?\s*\}\s*$`);

/**
 * The request id of an answer that is too long to read: it is near the beginning or the end.
 * null: the message is no answer; undefined: the id was not found.
 */
export function answeredId(head: string, tail: string): RequestId | null | undefined {
  if (IS_NO_ANSWER.test(head)) return null;
  const found = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  if (found === undefined) return undefined;
  return found.startsWith('"') ? found.slice(1, -1) : Number(found);
}
