import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withConfigReference } from "../../../scripts/config-reference.ts";

test("docs/configuration.md is up to date with the schema (node scripts/config-reference.ts)", () => {
  const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

  expect(page).toBe(withConfigReference(page));
});
