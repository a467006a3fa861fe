import { z } from "zod";
import { waitAgents } from "../../../app/wait-agents.ts";
import { AGENT_STATUSES } from "../../../domain/agent.ts";
import { defineTool } from "../define-tool.ts";

export const waitAgent = defineTool({
  name: "wait_agent",
  description:
    "Wait until agents have reported or ended. Answers in chunks: while waitMore is true, call again with the same agentIds and the cursor.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    agentIds: z.array(z.string()).max(1_000),
    timeout_ms: z.int().nonnegative().optional().describe("Over all chunks. Default: no limit"),
    mode: z.enum(["all", "any"]).default("all"),
    cursor: z.string().optional().describe("From the last answer, when waitMore was true"),
    maxBlock_ms: z.int().nonnegative().optional().describe("The longest this one call may block"),
  }),
  output: z.object({
    completed: z.array(
      z.object({ agentId: z.string(), status: z.enum(AGENT_STATUSES), duration_ms: z.number() }),
    ),
    pending: z.array(z.string()),
    timedOut: z.boolean(),
    waitMore: z.boolean().optional(),
    cursor: z.string().optional(),
    next: z.string().optional(),
  }),
  async run(call, { agentIds, timeout_ms, mode, cursor, maxBlock_ms }) {
    const waited = await waitAgents(
      call.core,
      {
        agentIds,
        mode,
        until: "result",
        timeoutMs: timeout_ms ?? null,
        cursor: cursor ?? null,
        maxBlockMs: Math.min(maxBlock_ms ?? call.patienceMs, call.patienceMs),
        ...(call.identity.kind === "agent" ? { waiter: call.identity.agentId } : {}),
      },
      {
        signal: call.signal,
        beat: (done, total, waitingFor) =>
          call.beat(`${done}/${total} done, waiting for ${waitingFor}`),
      },
    );
    const answer = {
      completed: waited.completed.map(({ agent, durationMs }) => ({
        agentId: agent.id,
        status: agent.status,
        duration_ms: durationMs,
      })),
      pending: [...waited.pending],
      timedOut: waited.timedOut,
    };
    if (waited.cursor === null) return answer;
    return {
      ...answer,
      waitMore: true,
      cursor: waited.cursor,
      next: "Agents are still running. Call wait_agent again with the same agentIds and this cursor.",
    };
  },
});
