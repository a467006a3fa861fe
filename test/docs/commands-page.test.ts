import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandPage, renderCommandPage } from "../../scripts/command-reference.ts";
import { LOCALES } from "../../src/domain/locale.ts";

test.each(LOCALES)(
  "the page of commands (%s) lists every command (else: node scripts/command-reference.ts)",
  (locale) => {
    expect(readFileSync(commandPage(locale), "utf8")).toBe(renderCommandPage(locale));
  },
);
