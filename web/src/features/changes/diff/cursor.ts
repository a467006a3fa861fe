import type { PatchLine, Side } from "./patch-lines.ts";

/** The lines that the keyboard is at, or that a comment is about. */
export type LineRange = {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly endLine: number;
};

/** The line after (`step` 1) or before (-1) in the file; null: there is none. */
export function nextLine(
  lines: readonly PatchLine[],
  at: LineRange | null,
  step: 1 | -1,
): PatchLine | null {
  if (at === null) return (step === 1 ? lines[0] : lines.at(-1)) ?? null;
  const edge = step === 1 ? at.endLine : at.line;
  const index = lines.findIndex(({ side, line }) => side === at.side && line === edge);
  return lines[index + step] ?? null;
}

/** A range has lines of one side; it grows at the edge that the reader moves. */
export function extended(lines: readonly PatchLine[], at: LineRange, step: 1 | -1): LineRange {
  const edge = step === 1 ? at.endLine + 1 : at.line - 1;
  if (!lines.some(({ side, line }) => side === at.side && line === edge)) return at;
  return step === 1 ? { ...at, endLine: edge } : { ...at, line: edge };
}

export function rangeText({ line, endLine }: Pick<LineRange, "line" | "endLine">): string {
  return line === endLine ? String(line) : `${line}–${endLine}`;
}
