import type { ApprovalKind } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import { tooManyOpen } from "../gateway/call-refusals.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** Questions of one agent that wait for an answer at the same time. */
const MAX_OPEN_QUESTIONS = 5;
/** Calls of one agent that wait for a person at the same time. */
const MAX_OPEN_CALLS = 20;

const CALL_KINDS: readonly ApprovalKind[] = ["call", "step", "unplanned_tool"];

/** Refuses one more question while the agent has too many open. */
export async function requireRoomForQuestion(unit: UnitOfWork, agentId: AgentId): Promise<void> {
  if ((await countOpen(unit, agentId, ["question"])) < MAX_OPEN_QUESTIONS) return;
  throw tooManyOpen("questions", MAX_OPEN_QUESTIONS);
}

/** Refuses one more checked call while the agent has too many open. */
export async function requireRoomForCall(unit: UnitOfWork, agentId: AgentId): Promise<void> {
  if ((await countOpen(unit, agentId, CALL_KINDS)) < MAX_OPEN_CALLS) return;
  throw tooManyOpen("calls", MAX_OPEN_CALLS);
}

async function countOpen(
  unit: UnitOfWork,
  agentId: AgentId,
  kinds: readonly ApprovalKind[],
): Promise<number> {
  const { approvals } = await unit.listApprovals({
    agentId,
    statuses: ["pending"],
    limit: MAX_OPEN_QUESTIONS + MAX_OPEN_CALLS + 1,
  });
  return approvals.filter(({ kind }) => kinds.includes(kind)).length;
}
