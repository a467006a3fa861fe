import { z } from "zod";
import { cancelAgent as cancel } from "../../../../app/agents/cancel-agent.ts";
import { AGENT_STATUSES } from "../../../../domain/agents/agent.ts";
import { defineTool } from "../../define-tool.ts";

export const cancelAgent = defineTool({
  name: "cancel_agent",
  description: "Stop an agent with all its processes; with an orchestrator also its agents.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({ agentId: z.string() }),
  output: z.object({
    cancelled: z.boolean(),
    agentId: z.string(),
    status: z.enum(AGENT_STATUSES).describe("Becomes cancelled when its processes are gone"),
    alsoStopping: z.array(z.string()),
  }),
  async run({ core, identity }, { agentId }) {
    const { agent, descendants } = await cancel(core, identity, agentId);
    return {
      cancelled: true,
      agentId: agent.id,
      status: agent.status,
      alsoStopping: [...descendants],
    };
  },
});
