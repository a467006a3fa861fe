import { CLIS, type Cli } from "../kit/mock-llm/script.ts";

export type Cell = { readonly cli: Cli; readonly check: string; readonly isOk: boolean };

type Run = {
  readonly versions: ReadonlyMap<Cli, string>;
  readonly cells: readonly Cell[];
  /** All checks that exist, in their order; undefined: the run does not know them all. */
  readonly checks: readonly string[] | undefined;
};

const BEGIN = "<!-- begin: written by `npm run test:clis` -->";
const END = "<!-- end -->";

/**
 * Puts the results of a run into the table between the markers. Rows and columns that the run had no
 * test of keep their results, unless the version of the CLI is another one.
 */
export function mergeTable(page: string, { versions, cells, checks }: Run): string {
  const [before, rest] = splitAt(page, BEGIN);
  const [old, after] = splitAt(rest, END);
  const [header = [], , ...rows] = old.trim().split("\n").map(cellsOf);
  const known = new Map(rows.map(([check = "", ...results]) => [check, results]));
  const titles = CLIS.map((cli) => `${cli} ${versions.get(cli)}`);
  const found = checks ?? [...known.keys(), ...cells.map(({ check }) => check)].filter(Boolean);
  const lines = [...new Set(found)].map((check) => {
    const results = CLIS.map((cli, column) => {
      const now = cells.filter((each) => each.cli === cli && each.check === check);
      if (now.length > 0) return now.every(({ isOk }) => isOk) ? "ok" : "**fails**";
      const isSameVersion = header[column + 1] === titles[column];
      return (isSameVersion && known.get(check)?.[column]) || "not run";
    });
    return rowOf([check, ...results]);
  });
  const table = [rowOf(["check", ...titles]), rowOf(Array(5).fill("---")), ...lines];
  return `${before}${BEGIN}\n${table.join("\n")}\n${END}${after}`;
}

function splitAt(text: string, marker: string): readonly [string, string] {
  const at = text.indexOf(marker);
  if (at < 0) throw new Error(`The page has no line ${marker}`);
  return [text.slice(0, at), text.slice(at + marker.length)];
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const rowOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
