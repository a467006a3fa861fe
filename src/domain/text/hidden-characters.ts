/**
 * Characters that a reader cannot see, or that change how the text around them is displayed:
 * controls, format characters, default ignorable code points, line separators, private use, lone
 * surrogates and the blank Braille pattern. Tabs and line feeds are in here too; callers decide.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\p{Zl}\p{Zp}\u2800]/gu;

/**
 * The subset that is removed from text for agents. Private use, line separators and the visible
 * Arabic format characters stay: they may be data, and they hide nothing from a model.
 */
const REMOVED = /[[\p{Cc}--[\t\n\r]]\p{DI}\ufff9-\ufffb]/gv;

const IDEOGRAPH = /\p{Script=Han}/u;
const MODIFIER = /\p{EMod}/u;
/** The shape of an emoji. The lengths are bounded: Unicode recommends no longer ones. */
const EMOJI_SHAPE =
  /\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]{1,10}\u{e007f})?(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?){0,8}/uy;
/** Building it takes 13 ms, and few texts need it: not at the start of every process. */
let recommendedEmoji: RegExp | undefined;
/** Each failed lookup costs up to 0.1 ms, so a hostile text gets only this many. */
const MAX_FAILED_LOOKUPS = 100;
/** A few ideographic variations are names; many of them can spell a hidden message. */
const MAX_VARIATIONS = 8;
/** Scripts whose spelling uses the zero-width joiner and non-joiner. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]/u;

/**
 * Replaces every unseen character, except where it is part of something that is seen:
 * - an emoji that Unicode recommends for general interchange (`\p{RGI_Emoji}`): 👩‍💻, ❤️;
 * - a variation selector directly after an ideograph, at most eight in the text: 葛󠄀城市.
 */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  return replaceIn(text, UNSEEN, replace);
}

/**
 * Removes what hides, reverses or moves text from a text for agents. The same exceptions as in
 * `replaceUnseen`, and joiners in the scripts that are spelt with them.
 */
export function removeHidden(text: string): string {
  return replaceIn(text, REMOVED, (character, at) =>
    (character === "\u200c" || character === "\u200d") && JOINING.test(before(text, at))
      ? character
      : "",
  );
}

function replaceIn(
  text: string,
  characters: RegExp,
  replace: (character: string, at: number) => string,
): string {
  if (text.search(characters) < 0) return text;
  const keepsVariations = !hasManyVariations(text);
  const emoji = createEmojiFinder(text);
  const parts: string[] = [];
  let done = 0;
  for (const { 0: character, index } of text.matchAll(characters)) {
    if (index < done) continue;
    const end = emoji.endAround(index, done);
    if (end !== undefined) {
      parts.push(text.slice(done, end));
      done = end;
      continue;
    }
    const isVariation = isIdeographic(character) && IDEOGRAPH.test(before(text, index));
    parts.push(text.slice(done, index));
    parts.push(isVariation && keepsVariations ? character : replace(character, index));
    done = index + character.length;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** Looks for the emoji that an unseen character belongs to, with a bounded amount of work. */
function createEmojiFinder(text: string) {
  let failed = 0;
  return {
    /** Where the emoji around the character at `at` ends; it cannot begin before `from`. */
    endAround(at: number, from: number): number | undefined {
      if (!mayBeInEmoji(text, at) || failed >= MAX_FAILED_LOOKUPS) return undefined;
      const start = emojiStart(text, at);
      const found = start < from ? undefined : emojiAt(text, start);
      if (found !== undefined && start + found.length > at) return start + found.length;
      failed++;
      return undefined;
    },
  };
}

function emojiStart(text: string, at: number): number {
  const previous = before(text, at);
  const start = at - previous.length;
  return MODIFIER.test(previous) ? start - before(text, start).length : start;
}

/** Testing for a recommended emoji is slow, so the ones found are kept: a few thousand at most. */
const known = new Set<string>();

function emojiAt(text: string, start: number): string | undefined {
  EMOJI_SHAPE.lastIndex = start;
  const shape = EMOJI_SHAPE.exec(text)?.[0];
  if (shape === undefined || known.has(shape)) return shape;
  recommendedEmoji ??= /^\p{RGI_Emoji}$/v;
  if (!recommendedEmoji.test(shape)) return undefined;
  known.add(shape);
  return shape;
}

/** The only unseen characters in emoji: variation selector 16, the joiner and tags. */
function mayBeInEmoji(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  return code === 0xfe0f || code === 0x200d || (code >= 0xe0020 && code <= 0xe007f);
}

/** The code point that ends at `at`. */
function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

function isIdeographic(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xe0100 && code <= 0xe01ef;
}

function hasManyVariations(text: string): boolean {
  const selectors = text.matchAll(/[\u{e0100}-\u{e01ef}]/gu);
  for (let count = 0; count < MAX_VARIATIONS; count++) {
    if (selectors.next().done === true) return false;
  }
  return selectors.next().done !== true;
}
