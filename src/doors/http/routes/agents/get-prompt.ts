import { fullPromptOf } from "../../../../app/agents/full-prompt.ts";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const getPrompt = defineRoute(contract.getPrompt, {
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    return {
      agentId: agent.id,
      request: await core.store.getPrompt(agent.id),
      prompt: await fullPromptOf(core, agent),
    };
  },
});
