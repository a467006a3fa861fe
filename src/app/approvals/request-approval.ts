import {
  nextApprovalStatus,
  type Approval,
  type ApprovalKind,
  type ApprovalPolicy,
} from "../../domain/approvals/approval.ts";
import { shownText } from "../../domain/approvals/decide.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import type { ApprovalQuery } from "../ports/task-store.ts";
import { approvalEventIn } from "./approval-event.ts";

const PAGE = 500;

export type AskApproval = Pick<Approval, "kind" | "taskId" | "requester" | "title" | "shown"> &
  Partial<
    Pick<Approval, "executionId" | "stepId" | "agentId" | "subjectId" | "binding" | "choices">
  >;

/** Asks people, inside the caller's transaction. Publish the events after the commit. */
export async function requestApprovalIn(
  core: Core,
  unit: UnitOfWork,
  ask: AskApproval,
): Promise<{ readonly approval: Approval; readonly events: StoredEvent[] }> {
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
  return { approval, events: [await approvalEventIn(core, unit, "requested", approval)] };
}

/** Who would be reminded only after the end is reminded half-way. */
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

/** Whether a forwarded call took effect is worth knowing also when its execution was stopped. */
const CLOSED_WITH_EXECUTION: readonly ApprovalKind[] = ["step", "unplanned_tool", "question"];

/** Nobody needs to decide these any more: all of a task, or what an execution's agents wait for. */
export async function closeApprovalsIn(
  core: Core,
  unit: UnitOfWork,
  of: { readonly taskId: string } | { readonly executionId: string },
  as: "cancelled" | "superseded",
): Promise<StoredEvent[]> {
  const pending = await listPending(unit, of);
  const isMeant = ({ kind }: Approval) => "taskId" in of || CLOSED_WITH_EXECUTION.includes(kind);
  const events: StoredEvent[] = [];
  for (const approval of pending.filter(isMeant)) {
    events.push(await closeApprovalIn(core, unit, approval, as));
  }
  return events;
}

export async function closeApprovalIn(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
  as: "cancelled" | "superseded",
): Promise<StoredEvent> {
  const status = nextApprovalStatus(approval.status, as);
  const closed = await unit.updateApproval({ ...approval, status }, approval);
  return approvalEventIn(core, unit, "closed", closed);
}

/** All pages of them. */
export async function listPending(
  queries: Pick<UnitOfWork, "listApprovals">,
  of: Pick<ApprovalQuery, "taskId" | "executionId" | "agentId" | "kind">,
): Promise<readonly Approval[]> {
  const found: Approval[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await queries.listApprovals({
      ...of,
      statuses: ["pending"],
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.approvals);
    cursor = page.nextCursor;
  }
  return found;
}

/** Requesters of tasks that were asked for before people had to sign in. */
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
  // Without sign-in there is one person, and no agent is that one.
  const isAgents = policy.who === "requester" && requester.startsWith("agent:");
  if (isAgents && !people.isEnabled) return { who: "anyone" };
  if (policy.who !== "requester" || !people.isEnabled || people.find(requester)) return policy;
  const admins = people.list().filter(({ role }) => role === "admin");
  if (admins.length === 0) return { who: "anyone" };
  return { who: "approvers", users: admins.map(({ id }) => id) };
}
