import { z } from "zod";
import {
  getAgentStatus as get,
  getAgentStatuses,
  type AgentStatusView,
} from "../../../../app/agents/get-agent-status.ts";
import { readOutputEnd } from "../../../../app/agents/read-transcript.ts";
import { explainWaiting, type WaitingFor } from "../../../../app/agents/waiting-for.ts";
import type { Core } from "../../../../app/core.ts";
import {
  AGENT_FIELDS,
  agentRow,
  agentRowShape,
  chosenResultShape,
  type AgentField,
  type AgentRow,
} from "../../../../contract/shapes/agent-fields.ts";
import { agentSummary, agentSummaryShape, wireResult } from "../../../../contract/shapes/agents.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { defineTool } from "../../define-tool.ts";

/** The status is only useful while there is no result, which says how the agent ended. */
const FINISHED: ReadonlySet<AgentField> = new Set<AgentField>(["result"]);
const UNFINISHED: ReadonlySet<AgentField> = new Set<AgentField>(["status"]);

/** Limits of rawOutput per agent and per answer, because it fills the caller's context. */
const MAX_RAW_BYTES = 8_192;
const MAX_RAW_BYTES_TOGETHER = 65_536;

export const getAgentStatus = defineTool({
  name: "get_agent_status",
  description: "State and whole result of one agent (agentId) or several (agentIds).",
  callers: ["client", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    agentId: z.string().optional(),
    agentIds: z.array(z.string()).max(1_000).optional(),
    fields: z
      .array(z.enum(AGENT_FIELDS))
      .max(100)
      .optional()
      .describe(
        "Default for agentIds: result, else status. rawOutput: the end of what its CLI wrote",
      ),
  }),
  output: agentSummaryShape.partial().extend({
    result: chosenResultShape.nullable().optional(),
    agents: z.array(agentRowShape).optional().describe("For agentIds, in the same order"),
  }),
  async run({ core, identity }, { agentId, agentIds, fields }) {
    if (agentIds && agentId === undefined) {
      if (agentIds.length === 0) throw emptyIds();
      const views = await getAgentStatuses(core, identity, agentIds);
      const chosen = fields && new Set(fields);
      const waitingFor = await explainWaiting(
        core,
        views.map(({ agent }) => agent),
      );
      const rows: AgentRow[] = [];
      for (const view of views) {
        const byDefault = view.result === null ? UNFINISHED : FINISHED;
        rows.push(await rowOf(core, view, chosen ?? byDefault, views.length, waitingFor));
      }
      return { agents: rows };
    }
    if (agentId === undefined || agentIds) throw oneOrSeveral();
    const view = await get(core, identity, agentId);
    const waitingFor = await explainWaiting(core, [view.agent]);
    if (fields) return rowOf(core, view, new Set(fields), 1, waitingFor);
    const { result } = view;
    return {
      ...summaryOf(core, view, waitingFor),
      result: result && wireResult(result, core.settings.prices),
    };
  },
});

async function rowOf(
  core: Core,
  view: AgentStatusView,
  fields: ReadonlySet<AgentField>,
  count: number,
  waitingFor: WaitingFor,
): Promise<AgentRow> {
  const summary = summaryOf(core, view, waitingFor);
  const { agent, result } = view;
  const { prices } = core.settings;
  if (!fields.has("rawOutput")) return agentRow({ summary, result, prices }, fields);
  const maxBytes = Math.min(MAX_RAW_BYTES, Math.floor(MAX_RAW_BYTES_TOGETHER / count));
  const rawOutput = await readOutputEnd(core, agent, maxBytes);
  return agentRow({ summary, result, prices, rawOutput }, fields);
}

function summaryOf(core: Core, { agent, toolCallCount }: AgentStatusView, waitingFor: WaitingFor) {
  return {
    ...agentSummary(agent, toolCallCount, core.clock.now()),
    ...waitingFor(agent),
  };
}

function oneOrSeveral(): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      "get_agent_status takes either agentId or agentIds.",
      "Give agentId for one agent, or agentIds for several.",
    ],
    ja: [
      "get_agent_status には agentId か agentIds のどちらかを指定します。",
      "1 体なら agentId、複数なら agentIds を指定してください。",
    ],
  });
}

function emptyIds(): Refusal {
  return new Refusal("EMPTY_AGENT_IDS", {
    en: ["agentIds is empty.", "Name at least one agentId."],
    ja: ["agentIds が空です。", "agentId を 1 つ以上指定してください。"],
  });
}
