import { z } from "zod";
import { agentCardShape } from "../../../../contract/dashboard-shapes.ts";
import {
  AGENT_STATUSES,
  STATUS_FILTERS,
  type AgentStatus,
} from "../../../../domain/agents/agent.ts";
import { defineRoute } from "../../define-route.ts";
import { cardOf } from "../../wire.ts";
import { cursor, idText, limit, NO_BODY, NO_PARAMS } from "../inputs.ts";

export const listAgents = defineRoute({
  method: "get",
  path: "/api/agents",
  summary:
    "Agents of active groups and the newest 20 of deleted ones, newest first; GET /api/history has all.",
  params: NO_PARAMS,
  query: z.strictObject({
    groupId: idText.optional(),
    status: z
      .enum([...AGENT_STATUSES, "all"])
      .default("all")
      .describe("completed includes resultReported; failed includes timedOut and lost"),
    limit: limit(1_000, 100),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({
    agents: z.array(agentCardShape),
    total: z.number().describe("All that match, not only this page"),
    nextCursor: z.string().nullable(),
  }),
  async run(core, { query }) {
    const page = await core.store.listAgents({
      ...(query.groupId && { groupId: query.groupId }),
      ...(query.status !== "all" && { statuses: statusesOf(query.status) }),
      ...(query.cursor && { cursor: query.cursor }),
      limit: query.limit,
    });
    return {
      agents: page.agents.map((view) => cardOf(core, view)),
      total: page.total,
      nextCursor: page.nextCursor,
    };
  },
});

/** The same words mean the same as in list_agents. */
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
