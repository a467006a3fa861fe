import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({ engines: z.unknown().optional(), optional: z.boolean().optional() }),
  ),
});

test("no package of the lock file makes npm ci warn about the version of Node: node scripts/complete-lock.js", () => {
  const { packages } = lockShape.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

  const warning = Object.entries(packages)
    .filter(([place, { engines, optional }]) => place !== "" && engines && !optional)
    .map(([place]) => place);

  expect(warning).toEqual([]);
});
