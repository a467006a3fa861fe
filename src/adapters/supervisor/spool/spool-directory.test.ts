import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { keepSpoolDirectory } from "./spool-directory.ts";

function aSpool() {
  const dataDir = join(aTempDir(), "data");
  mkdirSync(dataDir);
  const directory = join(dataDir, "spool");
  const warnings: string[] = [];
  let recreated = 0;
  const spool = keepSpoolDirectory({
    directory,
    log: { debug() {}, info() {}, error() {}, warn: (message) => void warnings.push(message) },
    onRecreated: () => void (recreated += 1),
  });
  return { dataDir, directory, spool, warnings, recreated: () => recreated };
}

test("a spool directory that was deleted is created again", () => {
  const { directory, spool, warnings, recreated } = aSpool();

  rmSync(directory, { recursive: true });
  spool.ensure();
  spool.ensure();

  expect(existsSync(directory)).toBe(true);
  expect([recreated(), warnings.length]).toEqual([1, 1]);
});

test("a data directory that was moved is not created again at its old path", () => {
  const { dataDir, spool, warnings, recreated } = aSpool();

  renameSync(dataDir, `${dataDir}-moved`);
  spool.ensure();

  expect(existsSync(dataDir)).toBe(false);
  expect([recreated(), warnings.length]).toEqual([0, 0]);
});

test("no spool is created in another directory that replaced the data directory", () => {
  const { dataDir, spool } = aSpool();

  renameSync(dataDir, `${dataDir}-moved`);
  mkdirSync(dataDir);
  spool.ensure();

  expect(readdirSync(dataDir)).toEqual([]);
});
