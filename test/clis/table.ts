import type { Driver } from "./drivers.ts";

/** One check of one driver. */
export type Place = { readonly driver: Driver; readonly check: string };
/** `reason`: why the driver cannot have this check. */
export type Cell = Place & { readonly isOk: boolean; readonly reason?: string };

export type Table = {
  /** The line before the table. */
  readonly begin: string;
  /** The columns, from left to right. */
  readonly drivers: readonly Driver[];
};

type Run = {
  readonly versions: ReadonlyMap<Driver, string>;
  readonly cells: readonly Cell[];
  /** Every check that exists, in its order; undefined: the run does not know them all. */
  readonly all: readonly Place[] | undefined;
};

/** Begins the note of a skipped test whose check a driver cannot have. */
export const NOT_APPLICABLE = "n/a: ";
export const NOT_RUN = "not run";
export const FAILS = "**fails**";
const END = "<!-- end -->";

/**
 * Puts the results of a run into the table between the markers. Rows and columns that the run had no
 * test of keep their results, unless the version of the CLI is another one.
 */
export function mergeTable(page: string, table: Table, { versions, cells, all }: Run): string {
  const { begin, drivers } = table;
  const { before, header, rows, after } = split(page, begin);
  const known = new Map(rows.map(([check = "", ...results]) => [check, results]));
  const titles = drivers.map((driver) => `${driver} ${versions.get(driver)}`);
  const isColumn = ({ driver }: Place) => drivers.includes(driver);
  const names = (all ?? cells).filter(isColumn).map(({ check }) => check);
  const checks = all ? names : [...known.keys(), ...names].filter(Boolean);
  const lines = [...new Set(checks)].map((check) => {
    const results = drivers.map((driver, column) => {
      const isHere = (place: Place) => place.driver === driver && place.check === check;
      if (all && !all.some(isHere)) return "–";
      const now = cells.filter(isHere);
      if (now.length > 0) return resultOf(now);
      const isSameVersion = header[column + 1] === titles[column];
      return (isSameVersion && known.get(check)?.[column]) || NOT_RUN;
    });
    return rowOf([check, ...results]);
  });
  const rule = rowOf(["", ...drivers].map(() => "---"));
  return `${before}${begin}\n${[rowOf(["check", ...titles]), rule, ...lines].join("\n")}\n${END}${after}`;
}

/** The results of each column as the page shows them. */
export function columnsOf(page: string, { begin, drivers }: Table) {
  const { rows } = split(page, begin);
  return drivers.map((driver, column) => ({
    driver,
    cells: rows.map(([check = "", ...results]) => ({ check, result: results[column] ?? NOT_RUN })),
  }));
}

function resultOf(cells: readonly Cell[]): string {
  const reason = cells.find((each) => each.reason !== undefined)?.reason;
  if (reason !== undefined) return `${NOT_APPLICABLE}${reason}`;
  return cells.every(({ isOk }) => isOk) ? "ok" : FAILS;
}

function split(page: string, begin: string) {
  const [before, rest] = splitAt(page, begin);
  const [old, after] = splitAt(rest, END);
  const [header = [], , ...rows] = old.trim().split("\n").map(cellsOf);
  return { before, header, rows, after };
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
