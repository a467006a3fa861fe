import { requireGroup } from "../../../../app/groups/require-group.ts";
import type { AgentView } from "../../../../app/ports/store.ts";
import * as contract from "../../../../contract/routes/groups.ts";
import { wireGroup } from "../../../../contract/shapes/groups.ts";
import { usageLines } from "../../../../domain/agents/usage-lines.ts";
import { defineRoute } from "../../define-route.ts";
import { cardsOf } from "../../wire.ts";

const MAX_AGENTS = 1_000;

export const getGroup = defineRoute(contract.getGroup, {
  async run(core, { params, query }) {
    const group = await requireGroup(core.store, params.id);
    const page = await core.store.listGroupAgents({
      groupId: group.id,
      limit: MAX_AGENTS,
      ...(query.cursor && { cursor: query.cursor }),
    });
    return {
      ...wireGroup(group),
      ...(isRehearsal(page.agents) && { rehearsal: true }),
      agents: await cardsOf(core, page.agents),
      totalAgents: page.total,
      nextCursor: page.nextCursor,
      usage: [...usageLines(await core.store.listGroupUsage(group.id), core.settings.prices)],
    };
  },
});

function isRehearsal(agents: readonly AgentView[]): boolean {
  return agents.length > 0 && agents.every(({ agent }) => agent.runner === "rehearsal");
}
