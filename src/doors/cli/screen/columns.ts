/** Letters that take two columns of a terminal: East Asian wide and fullwidth, and emoji. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18cff}]|[\u{1aff0}-\u{1b2ff}]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u;
const MARKS_ONLY = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const PLAIN = /^[\u0020-\u007e]*$/;
/** Colours (CSI) and links (OSC 8). They take no column. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
export const ESCAPE = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

let segmenter: Intl.Segmenter | undefined;

/** The first segmenter of a process takes 9 ms, and many commands print only plain letters. */
function lettersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** How many columns a line takes on a terminal. */
export function widthOf(text: string): number {
  const seen = text.replaceAll(ESCAPE, "");
  if (PLAIN.test(seen)) return seen.length;
  let width = 0;
  for (const { segment } of lettersOf(seen)) width += letterWidth(segment);
  return width;
}

function letterWidth(letter: string): number {
  if (letter.length === 1 && PLAIN.test(letter)) return 1;
  if (MARKS_ONLY.test(letter)) return 0;
  return WIDE.test(letter) || letter.includes("\uFE0F") ? 2 : 1;
}

/** Whether a text begins with a letter of two columns. */
export function isWide(text: string): boolean {
  return WIDE.test(text);
}

/** Adds spaces up to a width in columns. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The same, with the spaces before the text: for numbers. */
export function padColumnsStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Cuts a line to a width in columns; what was cut shows as `…`. Colours stay closed. */
export function fitColumns(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  let rest = width - 1;
  let fitted = "";
  for (const piece of piecesOf(text)) {
    if (piece.isEscape) fitted += piece.text;
    else if (rest >= 0) {
      for (const { segment } of lettersOf(piece.text)) {
        rest -= letterWidth(segment);
        if (rest < 0) {
          fitted += "…";
          break;
        }
        fitted += segment;
      }
    }
  }
  return fitted;
}

/** Breaks a line into lines of at most this width, between words where it can. */
export function wrapColumns(text: string, width: number): readonly string[] {
  if (width < 2 || widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    for (const piece of shortPieces(segment, width)) {
      const columns = widthOf(piece);
      if (used + columns > width) {
        lines.push(line.trimEnd());
        line = "";
        used = 0;
        if (piece.trim() === "") continue;
      }
      line += piece;
      used += columns;
    }
  }
  return line.trim() === "" && lines.length > 0 ? lines : [...lines, line.trimEnd()];
}

/** A word that is longer than a line is cut between letters. */
function shortPieces(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  return Array.from(lettersOf(word), ({ segment }) => segment);
}

type Piece = { readonly text: string; readonly isEscape: boolean };

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), isEscape: false });
    pieces.push({ text: match[0], isEscape: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isEscape: false });
  return pieces;
}
