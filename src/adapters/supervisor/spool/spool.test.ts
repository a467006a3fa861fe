import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { claimForDaemon, spoolFiles, splitSpoolName, tailOf } from "./spool.ts";

test("a claim has one owner, and the daemon recognises its own", () => {
  const directory = aTempDir();
  const mine = spoolFiles(directory, "impl-1-a", 1);
  const theirs = spoolFiles(directory, "impl-1-b", 1);
  writeFileSync(theirs.claim, "");

  expect([claimForDaemon(mine), claimForDaemon(mine), claimForDaemon(theirs)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(readFileSync(theirs.claim, "utf8")).toBe("");
  expect(readdirSync(directory).toSorted()).toEqual(["impl-1-a.1.claim", "impl-1-b.1.claim"]);
});

test("a spool file name is split into attempt and ending, whatever the id", () => {
  expect(splitSpoolName("a.b-1-c.12.out")).toEqual({ key: "a.b-1-c.12", ending: "out" });
  expect(() => spoolFiles("/spool", "../x-1-a", 1)).toThrow("cannot be the name");
});

test("the tail of a file begins with a whole character", () => {
  const path = join(aTempDir(), "err");
  writeFileSync(path, "魔術");

  expect([6, 5, 4, 3, 2].map((bytes) => tailOf(path, bytes))).toEqual([
    "魔術",
    "術",
    "術",
    "術",
    "",
  ]);
  expect(tailOf(`${path}.none`, 10)).toBe("");
});
