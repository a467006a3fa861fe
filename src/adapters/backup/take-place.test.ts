import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { HalfSwapped, takePlace } from "./take-place.ts";

function twoDirectories() {
  const dir = aTempDir();
  const at = (name: string) => join(dir, name);
  for (const name of ["staging", "data"]) {
    mkdirSync(at(name));
    writeFileSync(join(at(name), name), "");
  }
  const places = { staging: at("staging"), dataDir: at("data"), aside: at("aside") };
  return { dir, places };
}

test("the new directory takes the place, and the old one is beside it", () => {
  const { dir, places } = twoDirectories();

  takePlace(places);

  expect(readdirSync(dir).toSorted()).toEqual(["aside", "data"]);
  expect(readdirSync(places.dataDir)).toEqual(["staging"]);
});

test("the old directory is back if the new one cannot take its place", () => {
  const { places } = twoDirectories();

  const failing = (from: string, to: string): void => {
    if (from === places.staging) throw new Error("EIO");
    renameSync(from, to);
  };

  expect(() => takePlace(places, failing)).toThrow("EIO");
  expect(readdirSync(places.dataDir)).toEqual(["data"]);
});

test("both directories stay if another process has taken the path in between", () => {
  const { dir, places } = twoDirectories();

  const raced = (from: string, to: string): void => {
    renameSync(from, to);
    if (to !== places.aside) return;
    mkdirSync(places.dataDir);
    writeFileSync(join(places.dataDir, "lock.db"), "");
  };

  expect(() => takePlace(places, raced)).toThrow(HalfSwapped);
  expect(readdirSync(dir).toSorted()).toEqual(["aside", "data", "staging"]);
});
