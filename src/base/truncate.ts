/** The beginning of a text and an ellipsis, never cut inside a surrogate pair. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, Math.max(0, maxChars)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** An ellipsis and the end of a text, never cut inside a surrogate pair. */
export function truncateStart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `…${text.slice(-maxChars).replace(/^[\udc00-\udfff]/, "")}`;
}
