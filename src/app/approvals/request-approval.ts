import {
  nextApprovalStatus,
  type Approval,
  type ApprovalKind,
  type ApprovalPolicy,
} from "../../domain/approvals/approval.ts";
import { shownText } from "../../domain/approvals/decide.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { approvalFacts } from "./approval-event.ts";
import { listAllApprovals } from "./list-all-approvals.ts";

export type AskApproval = Pick<Approval, "kind" | "taskId" | "requester" | "title" | "shown"> &
  Partial<
    Pick<Approval, "executionId" | "stepId" | "agentId" | "subjectId" | "binding" | "choices">
  >;

export async function requestApproval(
  core: Core,
  unit: UnitOfWork,
  ask: AskApproval,
): Promise<Approval> {
  const now = core.clock.now();
  const approval: Approval = {
    executionId: null,
    stepId: null,
    agentId: null,
    subjectId: null,
    binding: null,
    choices: [],
    ...ask,
    id: `apr-${core.random.ulid(now)}`,
    status: "pending",
    policy: policyFor(core, ask),
    shownHash: core.tokens.hash(shownText(ask)),
    votes: [],
    decidedBy: null,
    decidedAt: null,
    reason: null,
    choice: null,
    usedAt: null,
    ...timesOf(core, now),
    createdAt: now,
    version: 1,
    revision: 1,
  };
  await unit.insertApproval(approval);
  await unit.emit({ type: "approval:requested", ...(await approvalFacts(core, unit, approval)) });
  return approval;
}

function timesOf({ settings }: Core, now: number): Pick<Approval, "expiresAt" | "remindAt"> {
  const { approvalExpiryMs, remindAfterMs } = settings.tasks;
  const expiresAt = approvalExpiryMs === null ? null : now + approvalExpiryMs;
  return { expiresAt, remindAt: remindAt(now, remindAfterMs, expiresAt) };
}

/** A reminder that would come after the expiry comes half-way to it. */
export function remindAt(
  now: number,
  remindAfterMs: number | null,
  expiresAt: number | null,
): number | null {
  if (remindAfterMs === null) return null;
  const at = now + remindAfterMs;
  return expiresAt === null || at < expiresAt ? at : now + Math.floor((expiresAt - now) / 2);
}

/** Not `outcome`: whether a forwarded call took effect still matters after the execution. */
const CLOSED_WITH_EXECUTION: readonly ApprovalKind[] = ["step", "unplanned_tool", "question"];

/**
 * Closes pending approvals: all of a task, or those that the agents of an execution wait for. A merge
 * belongs to its change, which outlives the task.
 */
export async function closeApprovals(
  core: Core,
  unit: UnitOfWork,
  filter: { readonly taskId: string } | { readonly executionId: string },
  as: "cancelled" | "superseded",
): Promise<void> {
  const pending = await listAllApprovals(unit, { ...filter, statuses: ["pending"] });
  const isClosed = ({ kind }: Approval) =>
    "taskId" in filter ? kind !== "merge" : CLOSED_WITH_EXECUTION.includes(kind);
  for (const approval of pending.filter(isClosed)) await closeApproval(core, unit, approval, as);
}

export async function closeApproval(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
  as: "cancelled" | "superseded",
): Promise<void> {
  const status = nextApprovalStatus(approval.status, as);
  const closed = await unit.updateApproval({ ...approval, status }, approval);
  await unit.emit({ type: "approval:closed", ...(await approvalFacts(core, unit, closed)) });
}

/** Requesters of tasks that were created before sign-in was enabled. */
const UNNAMED_REQUESTERS = ["unknown", LOCAL_PERSON.id];

/**
 * The configured policy, adapted if the requester is not a known person: the admins replace
 * `requester`, and a quorum of two replaces `not-requester`.
 */
function policyFor(core: Core, { kind, requester }: AskApproval): ApprovalPolicy {
  const policy = core.settings.tasks.approvals[kind];
  const { people } = core;
  const isUnnamed = people.isEnabled && UNNAMED_REQUESTERS.includes(requester);
  if (policy.who === "not-requester" && isUnnamed) return { who: "quorum", count: 2, users: null };
  // Without sign-in an agent's request could not be decided: only the local person exists.
  const isAgentRequest = policy.who === "requester" && requester.startsWith("agent:");
  if (isAgentRequest && !people.isEnabled) return { who: "anyone" };
  if (policy.who !== "requester" || !people.isEnabled || people.find(requester)) return policy;
  const admins = people.list().filter(({ role }) => role === "admin");
  if (admins.length === 0) return { who: "anyone" };
  return { who: "approvers", users: admins.map(({ id }) => id) };
}
