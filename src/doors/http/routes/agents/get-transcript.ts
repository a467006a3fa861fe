import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { requireHere } from "../../../../app/servers/view-servers.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const getTranscript = defineRoute(contract.getTranscript, {
  async run(core, { params, query }) {
    const agent = await requireAgent(core.store, params.id);
    await requireHere(core, agent);
    const { lines, nextOffset, size } = await core.supervisor.readTranscript(
      agent.id,
      agent.attempt,
      query.offset,
      query.maxBytes,
    );
    return { agentId: agent.id, lines: [...lines], nextOffset, size };
  },
});
