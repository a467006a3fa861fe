import type { Fields } from "../base/narrow.ts";
import type { Access } from "../domain/agents/agent.ts";

/**
 * The answer to a request of Codex. The approval policy is `never`, so this matters only for a version
 * that asks nevertheless. A form is declined: no person sees it. undefined: the method is unknown.
 */
export function answerRequest(method: string, access: Access): Fields | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return { decision: access === "read-write" ? "accept" : "decline" };
    case "item/permissions/requestApproval":
      return { permissions: {}, scope: "turn" };
    case "mcpServer/elicitation/request":
      return { action: "decline", content: null, _meta: null };
    case "item/tool/requestUserInput":
      return { answers: {} };
    default:
      return undefined;
  }
}
