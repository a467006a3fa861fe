import { readTranscript } from "../../../../app/agents/read-transcript.ts";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const getTranscript = defineRoute(contract.getTranscript, {
  async run(core, { params, query }) {
    const agent = await requireAgent(core.store, params.id);
    const { lines, nextOffset, size } = await readTranscript(core, agent, query);
    return { agentId: agent.id, lines: [...lines], nextOffset, size };
  },
});
