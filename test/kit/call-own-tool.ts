import type { Identity } from "../../src/app/core.ts";
import { callTool, type ToolAnswer } from "../../src/doors/mcp/call-tool.ts";
import type { AnyTool } from "../../src/doors/mcp/define-tool.ts";
import { TOOLS } from "../../src/doors/mcp/tools.ts";
import type { TestCore } from "./core.ts";
import { main } from "./running-agent.ts";

export function ownTool(name: string): AnyTool {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** One of our tools through the whole pipeline, without a transport. */
export function callOwnTool(
  core: TestCore,
  name: string,
  args: object = {},
  identity: Identity = main,
): Promise<ToolAnswer> {
  return callTool(core, ownTool(name), {
    name,
    args,
    identify: async () => identity,
    signal: new AbortController().signal,
    patienceMs: 0,
    beat: () => {},
  });
}

/** The structured answer, or the refusal as an object. */
export async function answerOf(
  core: TestCore,
  name: string,
  args: object = {},
  identity: Identity = main,
) {
  const { structuredContent, content } = await callOwnTool(core, name, args, identity);
  return structuredContent ?? JSON.parse(content.at(-1)?.text ?? "{}");
}
