import type { ApprovalId, ExecutionId } from "../domain/ids.ts";
import { isRoleCall } from "../domain/role-call.ts";
import type { ToolCall } from "../domain/tool-call.ts";
import type { Core } from "./core.ts";
import type { WantedCall } from "./judge-call.ts";
import type { Queries } from "./ports/store.ts";
import type { UpstreamAnswer } from "./ports/upstream.ts";

/**
 * The agent's last call was answered by a daemon that died, or to a connection that broke: the
 * same call again is not a second one. Only what may change something is worth the look.
 */
export async function findUndeliveredIn(
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
  return isSame && last.status === "done" ? last : undefined;
}

export function replayOf({ answer }: ToolCall): UpstreamAnswer {
  if (answer !== null) return JSON.parse(answer);
  const text = "It was carried out; its answer was too long to keep.";
  return { content: [{ type: "text", text }], isError: false };
}

/**
 * Another call waited for the same approval and was let through: its answer is this one's too.
 * undefined: nobody was.
 */
export async function sharedAnswer(
  core: Core,
  executionId: ExecutionId,
  approvalId: ApprovalId,
  signal: AbortSignal,
): Promise<UpstreamAnswer | undefined> {
  const approval = await core.store.getApproval(approvalId);
  if (approval?.usedAt == null || approval.choice?.scope === "any_arguments") return undefined;
  const find = async () =>
    (await core.store.listToolCalls(executionId)).find((call) => call.approvalId === approvalId);
  const call = await untilAnswered(core, find, signal);
  const isAnswered = call?.status === "done" || (call?.status === "failed" && call.answer !== null);
  return isAnswered ? replayOf(call) : undefined;
}

async function untilAnswered(
  core: Core,
  find: () => Promise<ToolCall | undefined>,
  signal: AbortSignal,
): Promise<ToolCall | undefined> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const known = { id: "" };
  const stop = core.live.subscribe(({ type, data }) => {
    if (type === "execution:tool_call" && data["callId"] === known.id) resolve();
  });
  const quit = () => resolve();
  signal.addEventListener("abort", quit, { once: true });
  try {
    const call = await find();
    if (call?.status !== "forwarded") return call;
    known.id = call.id;
    // It may have been answered between the look and the listening.
    const again = await find();
    if (again?.status !== "forwarded" || signal.aborted) return again;
    await promise;
    return await find();
  } finally {
    signal.removeEventListener("abort", quit);
    stop();
  }
}
