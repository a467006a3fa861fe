import { waitForEvent } from "../../base/wait-for-event.ts";
import { isRoleCall } from "../../domain/gateway/role-call.ts";
import type { AgentCall, ToolCall } from "../../domain/gateway/tool-call.ts";
import type { ApprovalId, ToolCallId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import type { UpstreamAnswer } from "../ports/upstream.ts";
import type { WantedCall } from "./call-case.ts";
import { NOT_KEPT } from "./record-answer.ts";

/**
 * The agent's last call, if this is a repeat of it whose answer may not have arrived because a daemon
 * died or a connection broke. Read-only calls are simply sent again.
 */
export async function findLastAnswered(
  core: Pick<Core, "calls">,
  queries: Pick<Queries, "getAgent" | "listToolCalls">,
  { agentId, ref, isReadOnly }: WantedCall,
  args: string,
): Promise<ToolCall | undefined> {
  if (isReadOnly || core.calls.hasAnswered(agentId)) return undefined;
  const agent = await queries.getAgent(agentId);
  if (agent?.executionId == null) return undefined;
  const calls = await queries.listToolCalls(agent.executionId);
  const last = calls.findLast((call) => call.agentId === agentId && !isRoleCall(call));
  const isSame = last?.server === ref.server && last.tool === ref.tool && last.args === args;
  return isSame && isAnswered(last) ? last : undefined;
}

/** False for a call that a person confirmed: it has no answer. */
export function isAnswered({ status, answer, error }: AgentCall): boolean {
  return status === "done" && (answer !== null || error === NOT_KEPT);
}

/**
 * The same call of an earlier attempt, if it took effect: the retry gets its answer. Read-only calls
 * are sent again.
 */
export async function findDoneBefore(
  queries: Pick<Queries, "getAgent" | "getExecution" | "listTaskToolCalls">,
  { agentId, ref, isReadOnly }: WantedCall,
  args: string,
): Promise<ToolCall | undefined> {
  if (isReadOnly) return undefined;
  const agent = await queries.getAgent(agentId);
  const execution = await queries.getExecution(agent?.executionId ?? "");
  if (!execution || execution.attempt === 1) return undefined;
  return (await queries.listTaskToolCalls(execution.taskId)).find(
    (call) =>
      call.executionId !== execution.id &&
      isAnswered(call) &&
      call.server === ref.server &&
      call.tool === ref.tool &&
      call.args === args,
  );
}

/**
 * The same call of the same agent in flight, because its client timed out or called twice at once.
 * Both calls share the answer.
 */
export async function findUnderWay(
  core: Pick<Core, "calls">,
  unit: UnitOfWork,
  { agentId, ref, isReadOnly }: WantedCall,
  args: string,
): Promise<ToolCall | undefined> {
  if (isReadOnly) return undefined;
  const isSame = (call: ToolCall | undefined) =>
    call?.server === ref.server && call.tool === ref.tool && call.args === args;
  if (core.calls.serverId !== null) {
    // Locks the agent: two servers must not decide about the same call at once.
    await unit.getAgent(agentId);
    const forwarded = await unit.listForwardedToolCalls();
    return forwarded.find((call) => call.agentId === agentId && isSame(call));
  }
  for (const { id } of core.calls.ofAgents(new Set([agentId]))) {
    const call = await unit.getToolCall(id);
    if (isSame(call) && call?.status === "forwarded") return call;
  }
  return undefined;
}

export function replayOf({ answer }: Pick<AgentCall, "answer">): UpstreamAnswer {
  if (answer !== null) return JSON.parse(answer);
  return { content: [{ type: "text", text: NOT_KEPT }], isError: false };
}

/**
 * The call that used up the approval for which this one waited. Both calls share the answer.
 * undefined: the approval is unused, or valid for more than one call.
 */
export async function findSharedCall(
  unit: UnitOfWork,
  approvalId: ApprovalId,
): Promise<ToolCall | undefined> {
  const approval = await unit.getApproval(approvalId);
  const isSingle = approval?.choice?.scope !== "any_arguments" && approval?.kind !== "outcome";
  if (approval?.usedAt == null || approval.executionId === null || !isSingle) return undefined;
  const calls = await unit.listToolCalls(approval.executionId);
  return calls.findLast((call) => call.approvalId === approvalId);
}

type ReadCall = () => Promise<AgentCall | undefined>;

/** undefined: there is none, so this call is authorized on its own. */
export async function sharedAnswer(
  core: Core,
  id: ToolCallId,
  read: ReadCall,
  signal: AbortSignal,
): Promise<UpstreamAnswer | undefined> {
  const ended = await untilAnswered(core, id, read, signal);
  const hasAnswer =
    ended?.status === "done" || (ended?.status === "failed" && ended.answer !== null);
  return hasAnswer ? replayOf(ended) : undefined;
}

export const CALL_EVENTS = ["execution:tool_call", "agent:tool_call"] as const;

export async function untilAnswered(
  core: Core,
  id: ToolCallId,
  read: ReadCall,
  signal: AbortSignal,
): Promise<AgentCall | undefined> {
  await waitForEvent<true>({
    subscribe: (found) =>
      core.events.on(CALL_EVENTS, ({ data }) => {
        if (data.callId === id) found(true);
      }),
    look: async () => ((await read())?.status === "forwarded" ? undefined : true),
    signal,
  });
  return read();
}
