import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderToolReference, TOOL_REFERENCE } from "../../../scripts/tool-reference.ts";

test("docs/mcp-tools.md says what the tools are (else: node scripts/tool-reference.ts)", () => {
  expect(readFileSync(TOOL_REFERENCE, "utf8")).toBe(renderToolReference());
});
