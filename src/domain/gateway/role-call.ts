import { AGENT_TOOL_PREFIX, type ToolRef } from "../tasks/draft.ts";
import type { ToolCall } from "./tool-call.ts";

/**
 * `agent_<role>` is called like a tool and written down like one, as a call of nobody's server.
 * Its row names the agent that does the work, not the one that called.
 */
export const ROLE_SERVER = "";

/** As tools/list has it. */
const NAME_PREFIX = "agent_";

export function isRoleCall({ server }: Pick<ToolCall, "server">): boolean {
  return server === ROLE_SERVER;
}

/** What a step names. */
export function roleRef(roleId: string): ToolRef {
  return { server: null, tool: `${AGENT_TOOL_PREFIX}${roleId}` };
}

export function roleToolName(roleId: string): string {
  return `${NAME_PREFIX}${roleId}`;
}
