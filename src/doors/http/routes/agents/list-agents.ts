import * as contract from "../../../../contract/routes/agents.ts";
import { STATUS_FILTERS, type AgentStatus } from "../../../../domain/agents/agent.ts";
import { defineRoute } from "../../define-route.ts";
import { cardsOf } from "../../wire.ts";

export const listAgents = defineRoute(contract.listAgents, {
  async run(core, { query }) {
    const page = await core.store.listAgents({
      ...(query.groupId && { groupId: query.groupId }),
      ...(query.status !== "all" && { statuses: statusesOf(query.status) }),
      ...(query.cursor && { cursor: query.cursor }),
      limit: query.limit,
    });
    return {
      agents: await cardsOf(core, page.agents),
      total: page.total,
      nextCursor: page.nextCursor,
    };
  },
});

/** The filters have the same meaning as in the tool list_agents. */
function statusesOf(status: AgentStatus): readonly AgentStatus[] {
  switch (status) {
    case "queued":
    case "running":
    case "completed":
    case "failed":
      return STATUS_FILTERS[status];
    case "timedOut":
    case "cancelled":
    case "lost":
    case "resultReported":
      return [status];
  }
}
