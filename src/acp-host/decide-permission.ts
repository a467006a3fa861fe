import type {
  PermissionOption,
  RequestPermissionRequest,
  ToolKind,
} from "@agentclientprotocol/sdk";
import type { Access } from "../domain/agents/agent.ts";
import { isOwnTool } from "./tool-names.ts";

/** Kinds of tools that change nothing. */
const READING: readonly ToolKind[] = ["read", "search", "think", "fetch", "switch_mode"];

/**
 * Whether a tool may run. Calls of our own MCP server always may: the gateway checks them against the
 * approved steps.
 */
export function isAllowed(
  { toolCall }: Pick<RequestPermissionRequest, "toolCall">,
  access: Access,
): boolean {
  if (access === "read-write") return true;
  const names = [toolCall.name, toolCall.title].filter((name) => typeof name === "string");
  return names.some(isOwnTool) || READING.includes(toolCall.kind ?? "other");
}

/** undefined: the CLI offers no such answer, so the request has to be cancelled. */
export function chooseOption(
  options: readonly PermissionOption[],
  allowed: boolean,
): PermissionOption | undefined {
  const kinds = allowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  return kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0];
}
