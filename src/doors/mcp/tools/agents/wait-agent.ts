import { z } from "zod";
import { summarizeAgents, type AgentSummary } from "../../../../app/agents/summarize-agents.ts";
import { waitAgents } from "../../../../app/agents/wait-agents.ts";
import { visibleGroups } from "../../../../app/groups/visible-groups.ts";
import { AGENT_STATUSES } from "../../../../domain/agents/agent.ts";
import { RESULT_STATUSES } from "../../../../domain/agents/result.ts";
import { defineTool } from "../../define-tool.ts";

const completedShape = z.object({
  agentId: z.string(),
  status: z.enum(AGENT_STATUSES),
  duration_ms: z.number(),
  resultStatus: z.enum(RESULT_STATUSES).optional().describe("Only if it is not success"),
  summary: z.string().optional().describe("One line, at most 200 characters; why it failed"),
});

export const waitAgent = defineTool({
  name: "wait_agent",
  description:
    "Wait until agents have reported or ended. While waitMore is true, call again with the cursor. Lists what finished since the last answer; get_agent_status has whole results.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    agentIds: z.array(z.string()).max(1_000),
    timeout_ms: z.int().nonnegative().optional().describe("Over all chunks. Default: no limit"),
    mode: z.enum(["all", "any"]).default("all"),
    cursor: z.string().optional().describe("From the last answer"),
    maxBlock_ms: z.int().nonnegative().optional().describe("Limit of one call"),
    summaries: z.boolean().default(true),
  }),
  output: z.object({
    completed: z.array(completedShape).describe("With a cursor: only those not listed before"),
    pending: z.array(z.string()),
    timedOut: z.boolean(),
    waitMore: z.boolean().optional(),
    cursor: z.string().optional(),
    next: z.string().optional(),
  }),
  async run(call, { agentIds, timeout_ms, mode, cursor, maxBlock_ms, summaries }) {
    const groups = await visibleGroups(call.core, call.identity);
    const waited = await waitAgents(
      call.core,
      {
        agentIds,
        mode,
        until: "result",
        timeoutMs: timeout_ms ?? null,
        cursor: cursor ?? null,
        maxBlockMs: Math.min(maxBlock_ms ?? call.patienceMs, call.patienceMs),
        ...(groups && { groups }),
        ...(call.identity.kind === "agent" ? { waiter: call.identity.agentId } : {}),
      },
      {
        signal: call.signal,
        beat: (done, total, waitingFor) =>
          call.beat(`${done}/${total} done, waiting for ${waitingFor}`),
      },
    );
    const finished = waited.completed.map(({ agent }) => agent.id);
    const results = await summarizeAgents(call.core, finished);
    const answer = {
      completed: waited.completed.map(({ agent, durationMs }) => ({
        agentId: agent.id,
        status: agent.status,
        duration_ms: durationMs,
        ...summaryOf(results.get(agent.id), summaries),
      })),
      pending: [...waited.pending],
      timedOut: waited.timedOut,
    };
    if (waited.cursor === null) return answer;
    return {
      ...answer,
      waitMore: true,
      cursor: waited.cursor,
      next: "Call wait_agent again with this cursor.",
    };
  },
});

function summaryOf(
  result: AgentSummary | undefined,
  isWanted: boolean,
): Partial<z.infer<typeof completedShape>> {
  if (!result) return {};
  return {
    ...(result.status === "success" ? {} : { resultStatus: result.status }),
    ...(isWanted && result.line !== "" && { summary: result.line }),
  };
}
