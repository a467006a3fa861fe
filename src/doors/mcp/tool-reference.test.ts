import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderToolReference, toolPage } from "../../../scripts/tool-reference.ts";
import { LOCALES } from "../../domain/locale.ts";

test.each(LOCALES)(
  "the page of MCP tools (%s) says what the tools are (else: node scripts/tool-reference.ts)",
  (locale) => {
    expect(readFileSync(toolPage(locale), "utf8")).toBe(renderToolReference(locale));
  },
);
