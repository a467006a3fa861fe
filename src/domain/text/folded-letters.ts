/** Letters that look like those of our notification line, written as what they look like. */
const LOOKALIKES: readonly (readonly [letter: string, lookalikes: string])[] = [
  ["g", "ɡցԍɢǥɠꮐꓖ"],
  ["e", "еεєҽɘᴇꭼꓰɛ"],
  ["t", "тτŧᴛꭲꓔţ"],
  ["n", "пոռηνɴŋꓠ"],
  ["o", "оοօσøᴏ0ꓳ〇օ"],
  ["i", "іıιɪɩl1ꓲӏ"],
  ["f", "ϝƒꓝꞙ"],
  ["c", "сϲᴄƈꮯꓚ"],
  ["a", "аαɑᴀꭺꓮ"],
  ["s", "ѕꜱʂտꮪꓢƽ"],
  // Simplified, traditional and variant forms, and kanji that look like katakana.
  ["確", "确碻"],
  ["認", "认"],
  ["呼", "嘑"],
  ["出", "岀齣"],
  ["か", "力"],
  ["た", "夕"],
  ["ひ", "匕"],
];

/** The code units a character is folded to, for the characters seen so far. */
const folds = new Map<number, readonly number[]>();
/** A hostile text could use every character there is; those outside the BMP are not kept. */
const LAST_KEPT = 0xffff;

/**
 * The letters and digits of a character in one form, as code units: without marks, lower case,
 * hiragana for katakana, and one letter for all that look like it. Empty for everything else.
 */
export function foldedLetters(codePoint: number): readonly number[] {
  const known = folds.get(codePoint);
  if (known) return known;
  const text = fold(codePoint);
  const folded = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  if (codePoint <= LAST_KEPT) folds.set(codePoint, folded);
  return folded;
}

let lookalikes: ReadonlyMap<string, string> | undefined;

function fold(codePoint: number): string {
  lookalikes ??= new Map(
    LOOKALIKES.flatMap(([letter, alike]) => Array.from(alike, (each) => [each, letter] as const)),
  );
  let folded = "";
  for (const part of String.fromCodePoint(codePoint).normalize("NFKD").toLowerCase()) {
    if (!/[\p{L}\p{N}]/u.test(part)) continue;
    const plain = asHiragana(part);
    folded += lookalikes.get(plain) ?? plain;
  }
  return folded;
}

function asHiragana(letter: string): string {
  const code = letter.charCodeAt(0);
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : letter;
}
