/**
 * The lines of a text as one line. Written without a regular expression such as `\s*\n\s*`, which
 * takes quadratic time for a long run of spaces.
 */
export function oneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
