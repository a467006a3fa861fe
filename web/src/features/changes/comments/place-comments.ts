import type { WireComment } from "../../../../../src/contract/shapes/changes.ts";
import { lineAt, type PatchLine, type Side } from "../diff/patch-lines.ts";

/** Comments under one line of a file. */
export type Thread = {
  readonly side: Side;
  /** The line in the version shown. */
  readonly line: number;
  readonly comments: readonly WireComment[];
};

/** The commented lines are gone in the version shown. */
export function isOutdated({ line, currentLine }: WireComment): boolean {
  return line !== null && currentLine === null;
}

/**
 * Comments of one file under the lines that its patch shows. A comment is under its last line. The
 * others (outdated, about the whole file, on a line that the patch leaves out) are shown in the list.
 */
export function threadsOf(
  comments: readonly WireComment[],
  lines: readonly PatchLine[],
): readonly Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const place = placeOf(comment);
    const shown = place && lineAt(lines, place.side, place.line);
    if (!shown) continue;
    const { side, line } = shown;
    const key = `${side} ${line}`;
    const known = threads.get(key)?.comments ?? [];
    threads.set(key, { side, line, comments: [...known, comment] });
  }
  return [...threads.values()];
}

export function placeOf(comment: WireComment): { side: Side; line: number } | null {
  const { side, line, endLine, currentLine } = comment;
  if (side === null || line === null || currentLine === null) return null;
  return { side, line: currentLine + ((endLine ?? line) - line) };
}
