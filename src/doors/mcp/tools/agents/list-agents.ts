import { z } from "zod";
import { listAgents as list } from "../../../../app/agents/list-agents.ts";
import { explainWaiting } from "../../../../app/agents/waiting-for.ts";
import {
  agentRow,
  LIST_FIELDS,
  type AgentField,
} from "../../../../contract/shapes/agent-fields.ts";
import { agentSummary, agentSummaryShape } from "../../../../contract/shapes/agents.ts";
import { STATUS_FILTERS } from "../../../../domain/agents/agent.ts";
import { defineTool } from "../../define-tool.ts";

export const listAgents = defineTool({
  name: "list_agents",
  description:
    "Agents, newest first (20 of deleted groups). completed: also resultReported; failed: also timedOut, lost.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    groupId: z.string().optional(),
    status: z.enum(["queued", "running", "completed", "failed", "all"]).default("all"),
    limit: z.int().min(1).max(1_000).default(100),
    cursor: z.string().optional().describe("Last nextCursor"),
    fields: z.array(z.enum(LIST_FIELDS)).max(100).optional().describe("Default: all"),
  }),
  output: z.object({
    agents: z.array(agentSummaryShape.partial().required({ agentId: true })),
    total: z.number().describe("All that match, not only this page"),
    nextCursor: z.string().optional(),
  }),
  async run({ core, identity }, { groupId, status, limit, cursor, fields }) {
    const page = await list(core, identity, {
      ...(groupId === undefined ? {} : { groupId }),
      ...(status === "all" ? {} : { statuses: STATUS_FILTERS[status] }),
      ...(cursor === undefined ? {} : { cursor }),
      limit,
    });
    const now = core.clock.now();
    const waitingFor = await explainWaiting(
      core,
      page.agents.map(({ agent }) => agent),
    );
    const rows = page.agents.map(({ agent, toolCallCount }) => ({
      ...agentSummary(agent, toolCallCount, now),
      ...waitingFor(agent),
    }));
    const chosen = fields && new Set<AgentField>(fields);
    const { prices } = core.settings;
    return {
      agents: chosen
        ? rows.map((summary) => agentRow({ summary, result: null, prices }, chosen))
        : rows,
      total: page.total,
      ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }),
    };
  },
});
