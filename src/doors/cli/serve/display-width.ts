/** Columns that a label takes in a terminal; for our own labels, which have no combining characters. */
export function displayWidth(text: string): number {
  return Array.from(text, (character) => (isWide(character) ? 2 : 1)).reduce<number>(
    (sum, width) => sum + width,
    0,
  );
}

export function padLabel(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Kana, kanji and full-width forms. */
function isWide(character: string): boolean {
  return /[\u3000-\u9FFF\uF900-\uFAFF\uFF00-\uFF60]/.test(character);
}
