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

/** Asks people to decide. */
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

/** A reminder that would come after the expiry comes half-way. */
function timesOf({ settings }: Core, now: number): Pick<Approval, "expiresAt" | "remindAt"> {
  const { approvalExpiryMs, remindAfterMs } = settings.tasks;
  const expiresAt = approvalExpiryMs === null ? null : now + approvalExpiryMs;
  return { expiresAt, remindAt: remindAt(now, remindAfterMs, expiresAt) };
}

export function remindAt(
  now: number,
  remindAfterMs: number | null,
  expiresAt: number | null,
): number | null {
  if (remindAfterMs === null) return null;
  const at = now + remindAfterMs;
  return expiresAt === null || at < expiresAt ? at : now + Math.floor((expiresAt - now) / 2);
}

/** `outcome` stays open: whether a forwarded call took effect matters after a stop, too. */
const CLOSED_WITH_EXECUTION: readonly ApprovalKind[] = ["step", "unplanned_tool", "question"];

/** Closes approvals that need no decision: all of a task, or what an execution's agents wait for. */
export async function closeApprovals(
  core: Core,
  unit: UnitOfWork,
  of: { readonly taskId: string } | { readonly executionId: string },
  as: "cancelled" | "superseded",
): Promise<void> {
  const pending = await listAllApprovals(unit, { ...of, statuses: ["pending"] });
  const isMeant = ({ kind }: Approval) => "taskId" in of || CLOSED_WITH_EXECUTION.includes(kind);
  for (const approval of pending.filter(isMeant)) await closeApproval(core, unit, approval, as);
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

/** Requesters of tasks from before sign-in was enabled. */
const UNNAMED_REQUESTERS = ["unknown", LOCAL_PERSON.id];

/**
 * The configured policy, made decidable and safe for a requester that is no known person: in place
 * of `requester` the admins decide, in place of `not-requester` two different people.
 */
function policyFor(core: Core, { kind, requester }: AskApproval): ApprovalPolicy {
  const policy = core.settings.tasks.approvals[kind];
  const { people } = core;
  const isUnnamed = people.isEnabled && UNNAMED_REQUESTERS.includes(requester);
  if (policy.who === "not-requester" && isUnnamed) return { who: "quorum", count: 2, users: null };
  // Without sign-in there is one person, and an agent is not that person.
  const isAgents = policy.who === "requester" && requester.startsWith("agent:");
  if (isAgents && !people.isEnabled) return { who: "anyone" };
  if (policy.who !== "requester" || !people.isEnabled || people.find(requester)) return policy;
  const admins = people.list().filter(({ role }) => role === "admin");
  if (admins.length === 0) return { who: "anyone" };
  return { who: "approvers", users: admins.map(({ id }) => id) };
}
