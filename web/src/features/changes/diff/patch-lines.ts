export type Side = "old" | "new";

/** A line of a patch as a reader steps through it. */
export type PatchLine = {
  readonly kind: "added" | "removed" | "same";
  /** The side that a comment on this line is about. */
  readonly side: Side;
  readonly line: number;
  /** The number of an unchanged line in the old file. */
  readonly oldLine?: number;
  readonly text: string;
};

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines of a unified diff of one file, in the order in which they are shown. */
export function linesOf(patch: string): readonly PatchLine[] {
  const found: PatchLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let isInHunk = false;
  for (const row of patch.split("\n")) {
    const hunk = HUNK.exec(row);
    if (hunk) {
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      isInHunk = true;
      continue;
    }
    if (!isInHunk || row === "") continue;
    const text = row.slice(1);
    if (row.startsWith("+")) found.push({ kind: "added", side: "new", line: newLine++, text });
    else if (row.startsWith("-"))
      found.push({ kind: "removed", side: "old", line: oldLine++, text });
    else if (row.startsWith(" ")) {
      found.push({ kind: "same", side: "new", line: newLine++, oldLine: oldLine++, text });
    }
    // The rest is “\ No newline at end of file” or the header of the next file.
    else if (!row.startsWith("\\")) isInHunk = false;
  }
  return found;
}

/** The line that the patch shows; an unchanged line is found by its number on either side. */
export function lineAt(
  lines: readonly PatchLine[],
  side: Side,
  line: number,
): PatchLine | undefined {
  return lines.find((each) =>
    each.side === side ? each.line === line : side === "old" && each.oldLine === line,
  );
}
