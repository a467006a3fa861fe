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
])("findStepTool finds %s", (name, ref) => {
  expect(findStepTool(name, CATALOGUE)).toEqual({ ref });
});

test.each([
  ["write", "hr/write, crm/write"],
  ["hr/wirte", 'did you mean "hr/write"?'],
  ["agent:impl-cod", 'did you mean "agent:impl-code"?'],
  ["完全に別のもの", "use one of the catalogue"],
])("findStepTool does not find %s, and the error has a hint", (name, hint) => {
  expect(findStepTool(name, CATALOGUE)).toEqual({ error: expect.stringContaining(hint) });
});

test("toolName writes a tool in a form that findStepTool finds", () => {
  for (const { tool } of CATALOGUE) {
    const found = findStepTool(tool, CATALOGUE);
    expect("ref" in found && toolName(found.ref)).toBe(tool);
  }
});
