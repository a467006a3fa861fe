import { expect, test } from "vitest";
import { CLIS } from "../kit/mock-llm/script.ts";
import { columnsOf, mergeTable } from "./table.ts";

const VERSIONS = new Map(CLIS.map((cli) => [cli, "1"] as const));
const TABLE = { begin: "<!-- begin -->", drivers: CLIS };
const EMPTY = "before\n<!-- begin -->\n<!-- end -->\nafter\n";

const FIRST = mergeTable(EMPTY, TABLE, {
  versions: VERSIONS,
  cells: [
    { driver: "claude", check: "writes", isOk: true },
    { driver: "codex", check: "writes", isOk: false },
    { driver: "claude", check: "was renamed", isOk: true },
  ],
  all: undefined,
});

function rows(page: string): readonly string[] {
  return page.split("\n").filter((line) => line.startsWith("|"));
}

test("the table of the CLIs has a row per check and keeps the text around it", () => {
  expect(FIRST).toMatch(/^before\n[\s\S]*\nafter\n$/);
  expect(rows(FIRST)).toEqual([
    "| check | claude 1 | codex 1 | gemini 1 | opencode 1 |",
    "| --- | --- | --- | --- | --- |",
    "| writes | ok | **fails** | not run | not run |",
    "| was renamed | ok | not run | not run | not run |",
  ]);
});

test("a partial run of the CLIs keeps the results of the others", () => {
  const cells = [{ driver: "codex", check: "writes", isOk: true } as const];

  const page = mergeTable(FIRST, TABLE, { versions: VERSIONS, cells, all: undefined });

  expect(rows(page).slice(2)).toEqual([
    "| writes | ok | ok | not run | not run |",
    "| was renamed | ok | not run | not run | not run |",
  ]);
});

test("a run that knows all checks drops the others, and marks CLIs that have no such check", () => {
  const all = (["claude", "codex", "gemini"] as const).map((driver) => ({
    driver,
    check: "writes",
  }));

  const page = mergeTable(FIRST, TABLE, { versions: VERSIONS, cells: [], all });

  expect(rows(page).slice(2)).toEqual(["| writes | ok | **fails** | not run | – |"]);
});

test("results of another version of a CLI are not kept", () => {
  const versions = new Map([...VERSIONS, ["claude", "2"] as const]);

  const page = mergeTable(FIRST, TABLE, { versions, cells: [], all: undefined });

  expect(rows(page)[2]).toBe("| writes | not run | **fails** | not run | not run |");
});

test("a check that a driver cannot have shows the reason", () => {
  const cells = [
    { driver: "gemini", check: "writes", isOk: true, reason: "it has no hands" } as const,
  ];

  const page = mergeTable(FIRST, TABLE, { versions: VERSIONS, cells, all: undefined });

  expect(rows(page)[2]).toBe("| writes | ok | **fails** | n/a: it has no hands | not run |");
});

test("a table has only the columns of its drivers", () => {
  const cells = [{ driver: "gemini-acp", check: "asks first", isOk: true } as const];

  const page = mergeTable(FIRST, TABLE, { versions: VERSIONS, cells, all: undefined });

  expect(page).toBe(FIRST);
});

test("the columns of a table can be read back", () => {
  expect(columnsOf(FIRST, TABLE)[1]).toEqual({
    driver: "codex",
    cells: [
      { check: "writes", result: "**fails**" },
      { check: "was renamed", result: "not run" },
    ],
  });
});
