import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diagramFile } from "../../scripts/concept-pictures.ts";
import { DIAGRAMS } from "../../scripts/diagrams/concepts.ts";
import { LOCALES } from "../../src/domain/locale.ts";

test.each(DIAGRAMS)(
  "the diagram $name is up to date in both languages (else: node scripts/concept-pictures.ts)",
  ({ name, draw }) => {
    for (const locale of LOCALES) {
      expect(readFileSync(diagramFile(name, locale), "utf8")).toBe(draw(locale));
    }
  },
);
