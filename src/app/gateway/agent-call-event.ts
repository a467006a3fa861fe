import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** A call with a human check, outside a task, was forwarded or has ended. Without the answer. */
export async function emitAgentCall(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  { id, agentId, server, tool, status, error }: AgentCall,
): Promise<void> {
  const agent = await unit.getAgent(agentId);
  await unit.emit({
    type: "agent:tool_call",
    groupId: agent?.groupId ?? null,
    agentId,
    data: { callId: id, server, tool, status, error },
    at: core.clock.now(),
  });
}
