/**
 * Where commented lines are in another version of the file: at the same place, at the nearest place
 * with the same text, or gone (null). Lines are counted from 1.
 */
export function findLines(
  content: readonly string[],
  quote: readonly string[],
  line: number,
): number | null {
  if (quote.length === 0) return null;
  const isAt = (start: number) =>
    quote.every((text, offset) => content[start - 1 + offset] === text);
  const last = content.length - quote.length + 1;
  const furthest = Math.max(line, last);
  for (let distance = 0; distance <= furthest; distance++) {
    if (line - distance >= 1 && isAt(line - distance)) return line - distance;
    if (line + distance <= last && isAt(line + distance)) return line + distance;
  }
  return null;
}
