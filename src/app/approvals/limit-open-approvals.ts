import type { ApprovalKind } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import { tooManyOpen } from "../gateway/call-refusals.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** Pending questions per agent. */
const MAX_OPEN_QUESTIONS = 5;
/** Calls per agent that wait for a person. */
const MAX_OPEN_CALLS = 20;

const CALL_KINDS: readonly ApprovalKind[] = ["call", "step", "unplanned_tool"];

export async function requireRoomForQuestion(unit: UnitOfWork, agentId: AgentId): Promise<void> {
  if ((await countOpen(unit, agentId, ["question"])) < MAX_OPEN_QUESTIONS) return;
  throw tooManyOpen({ en: "questions", ja: "質問" }, MAX_OPEN_QUESTIONS);
}

export async function requireRoomForCall(unit: UnitOfWork, agentId: AgentId): Promise<void> {
  if ((await countOpen(unit, agentId, CALL_KINDS)) < MAX_OPEN_CALLS) return;
  throw tooManyOpen({ en: "calls", ja: "呼び出し" }, MAX_OPEN_CALLS);
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
