import { cancelAgent as cancel } from "../../../../app/agents/cancel-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const cancelAgent = defineRoute(contract.cancelAgent, {
  async run(core, { params }, identity) {
    const { agent, descendants } = await cancel(core, identity, params.id);
    return { agentId: agent.id, status: agent.status, stopping: [agent.id, ...descendants] };
  },
});
