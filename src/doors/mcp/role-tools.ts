import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import {
  callRoleTool,
  roleTools,
  type CallRoleTool,
} from "../../app/gateway/role-calls/run-role-tool.ts";
import type { JsonObject } from "../../app/ports/upstream.ts";

/** `agent_<role>`: for an executor, one tool per role it may hand work to. */
export function listRoleToolsFor(core: Core, identity: Identity): WireTool[] {
  if (!isExecutor(identity)) return [];
  return roleTools(core).map(({ name, description }) => ({
    name,
    description,
    inputSchema: {
      type: "object",
      properties: {
        prompt: { type: "string", description: "Everything the agent must know" },
        workingDirectory: { type: "string" },
      },
      required: ["prompt"],
    },
    annotations: { idempotentHint: true, destructiveHint: false },
  }));
}

export function isRoleTool(core: Core, identity: Identity, name: string): boolean {
  return isExecutor(identity) && roleTools(core).some((tool) => tool.name === name);
}

export async function runRoleTool(
  core: Core,
  identity: Identity,
  call: CallRoleTool & { readonly args: JsonObject },
): Promise<CallToolResult> {
  const answer = await callRoleTool(core, identity, call);
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
  };
}

function isExecutor(identity: Identity): boolean {
  return identity.kind === "agent" && identity.role === "executor";
}
