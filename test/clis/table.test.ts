import { expect, test } from "vitest";
import { CLIS } from "../kit/mock-llm/script.ts";
import { mergeTable } from "./table.ts";

const VERSIONS = new Map(CLIS.map((cli) => [cli, "1"] as const));
const EMPTY = "before\n<!-- begin: written by `npm run test:clis` -->\n<!-- end -->\nafter\n";

const FIRST = mergeTable(EMPTY, {
  versions: VERSIONS,
  cells: [
    { cli: "claude", check: "writes", isOk: true },
    { cli: "codex", check: "writes", isOk: false },
    { cli: "claude", check: "was renamed", isOk: true },
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
  const cells = [{ cli: "codex", check: "writes", isOk: true } as const];

  const page = mergeTable(FIRST, { versions: VERSIONS, cells, all: undefined });

  expect(rows(page).slice(2)).toEqual([
    "| writes | ok | ok | not run | not run |",
    "| was renamed | ok | not run | not run | not run |",
  ]);
});

test("a run that knows all checks drops the others, and marks CLIs that have no such check", () => {
  const all = (["claude", "codex", "gemini"] as const).map((cli) => ({ cli, check: "writes" }));

  const page = mergeTable(FIRST, { versions: VERSIONS, cells: [], all });

  expect(rows(page).slice(2)).toEqual(["| writes | ok | **fails** | not run | – |"]);
});

test("results of another version of a CLI are not kept", () => {
  const versions = new Map([...VERSIONS, ["claude", "2"] as const]);

  const page = mergeTable(FIRST, { versions, cells: [], all: undefined });

  expect(rows(page)[2]).toBe("| writes | not run | **fails** | not run | not run |");
});
