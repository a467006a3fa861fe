/** The beginning of a text, cut between characters, never inside one. */
export function startOfText(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalfCharacter = /[\ud800-\udbff]$/;
  return `${text.slice(0, Math.max(0, most)).replace(isHalfCharacter, "")}…`;
}
