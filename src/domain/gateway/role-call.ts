import { ROLE_STEP_PREFIX, type ToolRef } from "../tasks/draft.ts";
import type { ToolCall } from "./tool-call.ts";

/**
 * A role call runs an agent of a role as if it were a tool. It is stored as a call of the server "";
 * its row names the agent that does the work, not the caller.
 */
export const ROLE_SERVER = "";

/** A role call in tools/list: `agent_<role>`. In a step it is `agent:<role>`: ROLE_STEP_PREFIX. */
export const ROLE_CALL_PREFIX = "agent_";

export function isRoleCall({ server }: Pick<ToolCall, "server">): boolean {
  return server === ROLE_SERVER;
}

/** The tool of a step that calls this role. */
export function roleRef(roleId: string): ToolRef {
  return { server: null, tool: `${ROLE_STEP_PREFIX}${roleId}` };
}

export function roleCallName(roleId: string): string {
  return `${ROLE_CALL_PREFIX}${roleId}`;
}
