import { CLIS, type Cli } from "../kit/mock-llm/script.ts";

/** One check of one CLI. */
export type Place = { readonly cli: Cli; readonly check: string };
export type Cell = Place & { readonly isOk: boolean };

type Run = {
  readonly versions: ReadonlyMap<Cli, string>;
  readonly cells: readonly Cell[];
  /** Every check that exists, in its order; undefined: the run does not know them all. */
  readonly all: readonly Place[] | undefined;
};

const BEGIN = "<!-- begin: written by `npm run test:clis` -->";
const END = "<!-- end -->";

/**
 * Puts the results of a run into the table between the markers. Rows and columns that the run had no
 * test of keep their results, unless the version of the CLI is another one.
 */
export function mergeTable(page: string, { versions, cells, all }: Run): string {
  const [before, rest] = splitAt(page, BEGIN);
  const [old, after] = splitAt(rest, END);
  const [header = [], , ...rows] = old.trim().split("\n").map(cellsOf);
  const known = new Map(rows.map(([check = "", ...results]) => [check, results]));
  const titles = CLIS.map((cli) => `${cli} ${versions.get(cli)}`);
  const names = (all ?? cells).map(({ check }) => check);
  const checks = all ? names : [...known.keys(), ...names].filter(Boolean);
  const lines = [...new Set(checks)].map((check) => {
    const results = CLIS.map((cli, column) => {
      const isHere = (place: Place) => place.cli === cli && place.check === check;
      if (all && !all.some(isHere)) return "–";
      const now = cells.filter(isHere);
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
