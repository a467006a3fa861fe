import { z } from "zod";
import { hasKeys } from "../../../app/dispatch-agents.ts";
import { getAgentStatus as get } from "../../../app/get-agent-status.ts";
import {
  agentSummary,
  agentSummaryShape,
  resultShape,
  wireResult,
} from "../../../contract/agent-shapes.ts";
import { defineTool } from "../define-tool.ts";

export const getAgentStatus = defineTool({
  name: "get_agent_status",
  description: "One agent's state, and its result once there is one.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({ agentId: z.string() }),
  output: agentSummaryShape.extend({ result: resultShape.nullable() }),
  async run({ core }, { agentId }) {
    const { agent, toolCallCount, result } = await get(core, agentId);
    return {
      ...agentSummary(agent, toolCallCount, core.clock.now()),
      ...(agent.status === "queued" && !hasKeys(core, agent) ? { waitingFor: "needs key" } : {}),
      result: result === null ? null : wireResult(result),
    };
  },
});
