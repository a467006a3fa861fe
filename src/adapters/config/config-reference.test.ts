import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  configPage,
  JAPANESE_MEANINGS,
  settingPaths,
  withConfigReference,
} from "../../../scripts/config-reference.ts";
import { LOCALES } from "../../domain/locale.ts";

test.each(LOCALES)(
  "the page of settings (%s) is up to date with the schema (node scripts/config-reference.ts)",
  (locale) => {
    const page = readFileSync(configPage(locale), "utf8");

    expect(page).toBe(withConfigReference(page, locale));
  },
);

test("every setting has a Japanese meaning in scripts/words-ja, and every meaning a setting", () => {
  expect(Object.keys(JAPANESE_MEANINGS).toSorted()).toEqual([...settingPaths()].toSorted());
});
