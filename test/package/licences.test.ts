import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the bundles carry the licences of the packages in them", () => {
  const programs = readFileSync("dist/licences.txt", "utf8");
  const dashboard = readFileSync("dist/web/licences.txt", "utf8");

  expect(programs).toMatch(/^hono \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(dashboard).toMatch(/^react \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(dashboard).toMatch(/^@pierre\/diffs \d+\.\d+\.\d+ \(apache-2\.0\)$/im);
  expect(dashboard).toContain("SIL OPEN FONT LICENSE");
});
