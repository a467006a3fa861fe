import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Identity } from "../../src/app/core.ts";
import { callTool } from "../../src/doors/mcp/call-tool.ts";
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
): Promise<CallToolResult> {
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
  const answer = await callOwnTool(core, name, args, identity);
  return answer.structuredContent ?? JSON.parse(textsOf(answer).at(-1) ?? "{}");
}

export function textsOf({ content }: Pick<CallToolResult, "content">): string[] {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}
