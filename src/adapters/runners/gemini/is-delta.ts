import { bytesOf, startsWith, stringEnd } from "../json-bytes.ts";

/**
 * Checks the whole line against the exact grammar of a text delta, so the text of an agent is never
 * mistaken for keys. Every other line (another key order, spaces, \u escapes) returns false.
 */
const HEAD = bytesOf('{"type":"message","timestamp":"');
const CONTENT = bytesOf(',"role":"assistant","content":"');
const TAIL = bytesOf(',"delta":true}');

export function isGeminiDelta(bytes: Uint8Array, start: number, end: number): boolean {
  if (!startsWith(bytes, start, HEAD)) return false;
  const content = stringEnd(bytes, start + HEAD.length, end);
  if (content < 0 || !startsWith(bytes, content, CONTENT)) return false;
  const tail = stringEnd(bytes, content + CONTENT.length, end);
  return tail === end - TAIL.length && startsWith(bytes, tail, TAIL);
}
