import { bytesOf, startsWith, stringEnd } from "../json-bytes.ts";

/**
 * Most lines of a busy stream are text deltas, of which only the newest is shown as a preview. This
 * recognizes them by their bytes, without decoding or JSON.parse. It checks the whole line against
 * the exact grammar of such a line, so the text of an agent is never mistaken for keys. Every other
 * line (another key order at the start, spaces, nested values, \u escapes) returns false.
 */
const HEAD = bytesOf(
  '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"',
);
const MESSAGE_END = bytesOf("}]}");
const TIME_KEY = bytesOf('timestamp_ms":');

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACE = 0x7d;
const LETTER_M = 0x6d;
const LETTER_T = 0x74;
const ZERO = 0x30;
const NINE = 0x39;

export function isCursorDelta(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[end - 1] !== BRACE || !startsWith(bytes, start, HEAD)) return false;
  let at = stringEnd(bytes, start + HEAD.length, end);
  if (at < 0 || !startsWith(bytes, at, MESSAGE_END)) return false;
  at += MESSAGE_END.length;

  let hasTime = false;
  while (bytes[at] === COMMA && bytes[at + 1] === QUOTE) {
    const key = at + 2;
    if (startsWith(bytes, key, TIME_KEY)) {
      hasTime = true;
      at = integerEnd(bytes, key + TIME_KEY.length, end);
    } else {
      at = otherMemberEnd(bytes, key, end);
    }
    if (at < 0) return false;
  }
  return hasTime && at === end - 1;
}

/**
 * From inside a key to the position after its plain value; -1 for a key that may change the meaning
 * of the line.
 */
function otherMemberEnd(bytes: Uint8Array, key: number, end: number): number {
  // These letters begin model_call_id, and a second message, type or timestamp_ms of another shape.
  if (bytes[key] === LETTER_M || bytes[key] === LETTER_T) return -1;
  const value = keyEnd(bytes, key, end);
  if (value < 0) return -1;
  return bytes[value] === QUOTE ? stringEnd(bytes, value + 1, end) : integerEnd(bytes, value, end);
}

/** From inside a plain lower-case key to the position after its colon, else -1. */
function keyEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return bytes[at + 1] === COLON ? at + 2 : -1;
    // a-z and _
    if (byte !== 0x5f && (byte < 0x61 || byte > 0x7a)) return -1;
  }
  return -1;
}

/** The position after an integer without sign or leading zero, else -1. */
function integerEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at])) at += 1;
  const leadingZero = bytes[from] === ZERO && at > from + 1;
  return at === from || leadingZero ? -1 : at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
