import { bytesOf, startsWith, stringEnd } from "../json-bytes.ts";

/**
 * Checks the whole line against the exact grammar of a text delta of the main conversation, so the
 * text of an agent is never mistaken for keys. Every other line returns false: other key orders, \u
 * escapes, and the text of a sub-agent, which has a parent.
 */
const HEAD = bytesOf('{"type":"stream_event","event":{"type":"content_block_delta","index":');
const TEXT = bytesOf(',"delta":{"type":"text_delta","text":"');
const SESSION = bytesOf('}},"session_id":"');
const UUID = bytesOf(',"parent_tool_use_id":null,"uuid":"');
const MESSAGE = bytesOf(',"api_message_id":"');
const BRACE = 0x7d;
/** A message has few blocks. */
const MAX_INDEX_DIGITS = 4;

export function isClaudeDelta(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[end - 1] !== BRACE || !startsWith(bytes, start, HEAD)) return false;
  const index = start + HEAD.length;
  const digits = digitsAt(bytes, index);
  if (digits === 0) return false;
  let at = memberEnd(bytes, index + digits, TEXT, end);
  at = memberEnd(bytes, at, SESSION, end);
  at = memberEnd(bytes, at, UUID, end);
  // Older versions do not name the message.
  if (at >= 0 && at < end - 1) at = memberEnd(bytes, at, MESSAGE, end);
  return at === end - 1;
}

/** The number of digits of an integer without a leading zero; 0: there is none. */
function digitsAt(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < from + MAX_INDEX_DIGITS && isDigit(bytes[at])) at += 1;
  return bytes[from] === ZERO && at > from + 1 ? 0 : at - from;
}

const ZERO = 0x30;
const NINE = 0x39;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** From the end of a value to the end of the next string, if `prefix` leads to it; else -1. */
function memberEnd(bytes: Uint8Array, at: number, prefix: readonly number[], end: number): number {
  if (at < 0 || !startsWith(bytes, at, prefix)) return -1;
  return stringEnd(bytes, at + prefix.length, end);
}
