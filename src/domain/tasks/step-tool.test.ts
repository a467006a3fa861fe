import { expect, test } from "vitest";
import type { CatalogueTool } from "./drafting.ts";
import { findStepTool, toolName } from "./step-tool.ts";

function named(...tools: readonly string[]): readonly CatalogueTool[] {
  const nothing = { title: null, inputSchema: null, outputSchema: null, annotations: null };
  return tools.map((tool) => ({ tool, description: "", ...nothing }));
}

const CATALOGUE = named("hr/list", "hr/write", "crm/write", "hr/files/read", "agent:impl-code");

test.each([
  ["hr/list", { server: "hr", tool: "list" }],
  ["list", { server: "hr", tool: "list" }],
  ["crm/write", { server: "crm", tool: "write" }],
  ["hr/files/read", { server: "hr", tool: "files/read" }],
  ["files/read", { server: "hr", tool: "files/read" }],
  ["agent:impl-code", { server: null, tool: "agent:impl-code" }],
])("%s is found", (name, ref) => {
  expect(findStepTool(name, CATALOGUE)).toEqual({ ref });
});

test.each([
  ["write", "hr/write, crm/write"],
  ["hr/wirte", 'did you mean "hr/write"?'],
  ["agent:impl-cod", 'did you mean "agent:impl-code"?'],
  ["完全に別のもの", "use one of the catalogue"],
])("%s is not, and the error helps", (name, hint) => {
  expect(findStepTool(name, CATALOGUE)).toEqual({ error: expect.stringContaining(hint) });
});

test("a tool is written as it is found", () => {
  for (const { tool } of CATALOGUE) {
    const found = findStepTool(tool, CATALOGUE);
    expect("ref" in found && toolName(found.ref)).toBe(tool);
  }
});
