const MARKS = /^(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s+)+/;

/** The first line that says something, without the marks of Markdown. */
export function firstLine(text: string): string {
  for (const line of text.split("\n")) {
    const plain = line
      .trim()
      .replace(MARKS, "")
      .replaceAll(/\*\*|__|`/g, "");
    if (/[\p{L}\p{N}]/u.test(plain)) return plain;
  }
  return "";
}
