import { Refusal } from "../../domain/refusal.ts";

/** What one chunk of a wait passes on to the next. */
export type WaitCursor = {
  /** The caller's own timeout as a point in time, so that it spans all chunks. */
  readonly deadline: number | null;
  /** The agents that earlier chunks have listed as completed; they are not listed again. */
  readonly seen: ReadonlySet<string>;
};

/**
 * The cursor holds one bit per id for the seen agents, and a fingerprint of the ids. If a caller
 * sends the cursor with other ids, agents may be listed again, but none is missed.
 */
export function sealWaitCursor({ deadline, seen }: WaitCursor, ids: readonly string[]): string {
  return `w2.${deadline ?? ""}.${fingerprintOf(ids)}.${bitsOf(ids, seen)}`;
}

export function openWaitCursor(text: string, ids: readonly string[]): WaitCursor {
  const found = /^w2\.(\d{0,15})\.([0-9a-f]{1,8})\.([0-9a-f]{0,250})$/.exec(text);
  if (!found) {
    throw new Refusal("INVALID_CURSOR", {
      en: [
        "This cursor is not one of wait_agent.",
        "Pass the cursor of the last wait_agent answer unchanged, or leave it out.",
      ],
      ja: [
        "wait_agent のカーソルではありません。",
        "直前の wait_agent の応答にある cursor をそのまま渡すか、省略してください。",
      ],
    });
  }
  const [, deadline = "", fingerprint, bits = ""] = found;
  return {
    deadline: deadline === "" ? null : Number(deadline),
    seen: new Set(fingerprint === fingerprintOf(ids) ? idsOf(ids, bits) : []),
  };
}

const BITS_PER_DIGIT = 4;

function bitsOf(ids: readonly string[], seen: ReadonlySet<string>): string {
  const digits = Array.from({ length: Math.ceil(ids.length / BITS_PER_DIGIT) }, () => 0);
  ids.forEach((id, index) => {
    if (!seen.has(id)) return;
    const at = Math.floor(index / BITS_PER_DIGIT);
    digits[at] = (digits[at] ?? 0) | (1 << (index % BITS_PER_DIGIT));
  });
  return digits.map((digit) => digit.toString(16)).join("");
}

function idsOf(ids: readonly string[], bits: string): string[] {
  return ids.filter((_id, index) => {
    const digit = Number.parseInt(bits[Math.floor(index / BITS_PER_DIGIT)] ?? "0", 16);
    return (digit & (1 << (index % BITS_PER_DIGIT))) !== 0;
  });
}

/** FNV-1a detects mixed-up lists. It need not resist attacks: the cursor affects only its caller. */
function fingerprintOf(ids: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of ids.join(" ")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
