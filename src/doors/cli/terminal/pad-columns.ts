const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/gu;

/** Adds spaces up to a width in columns of a terminal, in which Japanese letters take two. */
export function padColumns(text: string, width: number): string {
  const columns = text.length + (text.match(WIDE)?.length ?? 0);
  return text + " ".repeat(Math.max(0, width - columns));
}
