import { z } from "zod";
import { requireGroup } from "../../../../app/groups/require-group.ts";
import type { AgentView } from "../../../../app/ports/store.ts";
import { usageShape } from "../../../../contract/agent-shapes.ts";
import { agentCardShape, groupShape, wireGroup } from "../../../../contract/dashboard-shapes.ts";
import { costFields } from "../../../../contract/record-shapes.ts";
import { costs } from "../../../../domain/agents/cost.ts";
import { defineRoute } from "../../define-route.ts";
import { cardOf } from "../../wire.ts";
import { byId, cursor, NO_BODY } from "../inputs.ts";

const MAX_AGENTS = 1_000;

export const getGroup = defineRoute({
  method: "get",
  path: "/api/groups/{id}",
  summary:
    "One group with its agents, its stages or ledger, the tokens used so far and what they cost.",
  params: byId,
  query: z.strictObject({ cursor }),
  body: NO_BODY,
  answer: groupShape.extend({
    agents: z.array(agentCardShape).describe("Newest first"),
    totalAgents: z.number(),
    nextCursor: z
      .string()
      .nullable()
      .describe("For GET /api/groups/{id}?cursor=…: the next agents"),
    usage: z.array(
      usageShape.extend(costFields).extend({
        runner: z.string(),
        model: z.string(),
        role: z.string(),
        agents: z.number(),
      }),
    ),
  }),
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
      agents: page.agents.map((view) => cardOf(core, view)),
      totalAgents: page.total,
      nextCursor: page.nextCursor,
      usage: [...costs(await core.store.listGroupUsage(group.id), core.settings.prices)],
    };
  },
});

function isRehearsal(agents: readonly AgentView[]): boolean {
  return agents.length > 0 && agents.every(({ agent }) => agent.runner === "rehearsal");
}
