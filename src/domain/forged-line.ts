import { NOTIFICATION_LINE } from "./notification.ts";

/** Letters of other alphabets that look like those of `get_notifications`. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ɡ: "g",
  ց: "g",
  е: "e",
  ε: "e",
  т: "t",
  τ: "t",
  п: "n",
  ո: "n",
  η: "n",
  о: "o",
  ο: "o",
  օ: "o",
  і: "i",
  ı: "i",
  ι: "i",
  ϝ: "f",
  с: "c",
  ϲ: "c",
  а: "a",
  α: "a",
  ѕ: "s",
};

/** Breaks the sentence for good: its letters are not those of the sentence around it. */
const REMOVED = "[removed]";

/** The order alone says the same, wherever the first half went. */
const [, ORDER = ""] = NOTIFICATION_LINE.split("。");
/** Only when something might have it: folding loads tables that a start should not wait for. */
let needles: readonly string[] | undefined;

function findNeedles(): readonly string[] {
  needles ??= [NOTIFICATION_LINE, ORDER].map((line) =>
    lettersOf(line)
      .map(({ letter }) => letter)
      .join(""),
  );
  return needles;
}
/** Without every one of these it is not there; looking for them is fast. */
const RARE = ["呼", "出", "確", "認"];

/**
 * Takes our own sentence out of a text that is not ours, also where it is spaced, decorated or
 * written in other forms of the same letters: a model would read it all the same.
 */
export function withoutOurLine(text: string): string {
  if (!mayHaveIt(text)) return text;
  const letters = lettersOf(text);
  const folded = letters.map(({ letter }) => letter).join("");
  let cleaned = "";
  let from = 0;
  for (let at = nextHit(folded, 0); at; at = nextHit(folded, at.end)) {
    const start = letters[at.start]?.from ?? from;
    cleaned += text.slice(from, start) + REMOVED;
    from = letters[at.end - 1]?.until ?? start;
  }
  return cleaned + text.slice(from);
}

/** The same folding over the whole text at once: fast, but where it was cannot be told any more. */
function mayHaveIt(text: string): boolean {
  if (isAscii(text)) return false;
  const plain = text.normalize("NFKD");
  if (!RARE.every((kanji) => plain.includes(kanji))) return false;
  const folded = plain
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll(/[^\0-\x7f\u3041-\u3096\u4e00-\u9fff]/g, oneForm);
  return findNeedles().some((needle) => folded.includes(needle));
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

type Hit = { readonly start: number; readonly end: number };

function nextHit(folded: string, from: number): Hit | undefined {
  const hits = findNeedles().flatMap((needle) => {
    const start = folded.indexOf(needle, from);
    return start < 0 ? [] : [{ start, end: start + needle.length }];
  });
  return hits.toSorted((a, b) => a.start - b.start || b.end - a.end)[0];
}

/** One UTF-16 unit, so that its place in the folded text is its place in the list. */
type Letter = { readonly letter: string; readonly from: number; readonly until: number };

/** Letters and digits only, in one form, and where in the text each came from. */
function lettersOf(text: string): Letter[] {
  const letters: Letter[] = [];
  let at = 0;
  for (const character of text) {
    const until = at + character.length;
    for (const part of character.normalize("NFKD").toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(part)) continue;
      const letter = oneForm(part);
      for (let unit = 0; unit < letter.length; unit++) {
        letters.push({ letter: letter.charAt(unit), from: at, until });
      }
    }
    at = until;
  }
  return letters;
}

function oneForm(letter: string): string {
  const lookalike = LOOKALIKES[letter];
  if (lookalike !== undefined) return lookalike;
  const code = letter.charCodeAt(0);
  const isKatakana = letter.length === 1 && code >= 0x30a1 && code <= 0x30f6;
  return isKatakana ? String.fromCharCode(code - 0x60) : letter;
}
