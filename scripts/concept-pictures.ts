// Writes docs/images/concepts/*.svg: node scripts/concept-pictures.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { LOCALES, type Locale } from "../src/domain/locale.ts";
import { DIAGRAMS } from "./diagrams/concepts.ts";

const FOLDER = new URL("../docs/images/concepts/", import.meta.url);

export function diagramFile(name: string, locale: Locale): URL {
  return new URL(`${name}.${locale}.svg`, FOLDER);
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, draw } of DIAGRAMS) {
    for (const locale of LOCALES) writeFileSync(diagramFile(name, locale), draw(locale));
  }
}
