import { NOTIFICATION_LINE } from "../notifications/notification.ts";
import { foldedLetters } from "../text/folded-letters.ts";

/** Replaces the line. Its letters keep the texts on both sides from forming a new line. */
const REMOVED = "[removed]";

/**
 * The second sentence is the instruction; the line is removed with or without the first sentence.
 */
const [GREETING = "", ORDER = ""] = NOTIFICATION_LINE.split("。");

/** A part of one text. */
type Cut = {
  readonly text: number;
  readonly from: number;
  readonly until: number;
  readonly put: string;
};

/** Counts the steps, so that a test can compare inputs of different length. */
export type Effort = { steps: number };

/**
 * Removes our notification line from texts that are not ours, also where it is spaced, decorated,
 * written in other forms of the same letters, or spread over several of the texts: a model would
 * read it all the same.
 */
export function withoutOurLine(texts: readonly string[], effort?: Effort): readonly string[] {
  if (texts.every(isAscii)) return texts;
  const finder = createLineFinder(effort);
  for (const text of texts) finder.read(text, Infinity).next();
  return finder.result();
}

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

type Needle = {
  readonly letters: readonly number[];
  /** Knuth-Morris-Pratt: how many letters still match after a mismatch. */
  readonly fallback: readonly number[];
  readonly greeting: readonly number[];
};

let needle: Needle | undefined;

function getNeedle(): Needle {
  if (!needle) {
    const letters = lettersOf(ORDER);
    needle = { letters, fallback: fallbackOf(letters), greeting: lettersOf(GREETING) };
  }
  return needle;
}

function lettersOf(text: string): readonly number[] {
  return Array.from(text).flatMap((character) => foldedLetters(character.codePointAt(0) ?? 0));
}

function fallbackOf(letters: readonly number[]): readonly number[] {
  const fallback = [0];
  for (let at = 1, matched = 0; at < letters.length; at++) {
    while (matched > 0 && letters[at] !== letters[matched]) matched = fallback[matched - 1] ?? 0;
    if (letters[at] === letters[matched]) matched++;
    fallback.push(matched);
  }
  return fallback;
}

/**
 * Reads texts one after the other as if they were one, in linear time. A long text can be read in
 * several pieces.
 */
export function createLineFinder(effort: Effort = { steps: 0 }) {
  const { letters, fallback, greeting } = getNeedle();
  const texts: string[] = [];
  const cuts: Cut[] = [];
  /** The last letters and where they came from: a ring, as long as the whole line. */
  const size = letters.length + greeting.length;
  const ring = {
    letter: new Uint16Array(size),
    text: new Uint32Array(size),
    from: new Uint32Array(size),
  };
  let seen = 0;
  let matched = 0;

  function readLetter(text: number, from: number, until: number, letter: number): void {
    const place = seen % size;
    ring.letter[place] = letter;
    ring.text[place] = text;
    ring.from[place] = from;
    seen++;
    effort.steps++;
    while (matched > 0 && letters[matched] !== letter) {
      effort.steps++;
      matched = fallback[matched - 1] ?? 0;
    }
    if (letters[matched] === letter) matched++;
    if (matched === letters.length) cutLine(text, until);
  }

  function cutLine(text: number, until: number): void {
    const first = (seen - (hasGreeting() ? size : letters.length)) % size;
    const start = ring.text[first] ?? 0;
    for (let at = start; at <= text; at++) {
      effort.steps++;
      const isFirst = at === start;
      cuts.push({
        text: at,
        from: isFirst ? (ring.from[first] ?? 0) : 0,
        until: at === text ? until : Infinity,
        put: isFirst ? REMOVED : "",
      });
    }
    seen = 0;
    matched = 0;
  }

  function hasGreeting(): boolean {
    if (seen < size) return false;
    effort.steps += greeting.length;
    return greeting.every((letter, at) => ring.letter[(seen - size + at) % size] === letter);
  }

  function readPiece(index: number, text: string, from: number, until: number): number {
    let at = from;
    while (at < until) {
      const code = text.codePointAt(at) ?? 0;
      const end = at + (code > 0xffff ? 2 : 1);
      for (const letter of foldedLetters(code)) readLetter(index, at, end, letter);
      effort.steps++;
      at = end;
    }
    return at;
  }

  return {
    /** Reads the next text, and pauses between the pieces of a long one. */
    *read(text: string, pieceChars: number): Generator<void, void> {
      const index = texts.push(text) - 1;
      for (let at = 0; at < text.length;) {
        if (at > 0) yield;
        at = readPiece(index, text, at, Math.min(text.length, at + pieceChars));
      }
    },
    /** The texts without the line. */
    result: () => applyCuts(texts, cuts),
  };
}

function applyCuts(texts: readonly string[], cuts: readonly Cut[]): readonly string[] {
  if (cuts.length === 0) return texts;
  const byText = Map.groupBy(cuts, ({ text }) => text);
  return texts.map((text, index) => withoutCuts(text, byText.get(index) ?? []));
}

function withoutCuts(text: string, cuts: readonly Cut[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    kept.push(text.slice(from, cut.from), cut.put);
    from = cut.until;
  }
  return kept.join("") + text.slice(from);
}
