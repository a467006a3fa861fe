const RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;

/** The first table of a Markdown text, header first; undefined: it has none. */
export function markdownTable(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex(
    (line, index) => RULE.test(line) && (lines[index - 1] ?? "").includes("|"),
  );
  if (at < 1) return undefined;
  const rows = [cellsOf(lines[at - 1] ?? "")];
  for (const line of lines.slice(at + 1)) {
    if (!line.includes("|")) break;
    rows.push(cellsOf(line));
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
