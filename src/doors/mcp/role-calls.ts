import type { Tool as WireTool } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import { roleCallTools } from "../../app/gateway/role-calls/call-role.ts";

/** `agent_<role>`: for executors, one tool per role that they may delegate to. */
export function listRoleCallTools(core: Core, identity: Identity): WireTool[] {
  if (!isExecutor(identity)) return [];
  return roleCallTools(core).map(({ name, description }) => ({
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

export function isRoleCallTool(core: Core, identity: Identity, name: string): boolean {
  return isExecutor(identity) && roleCallTools(core).some((tool) => tool.name === name);
}

function isExecutor(identity: Identity): boolean {
  return identity.kind === "agent" && identity.role === "executor";
}
