import type { Approval } from "../../../domain/approvals/approval.ts";
import { mayDecide } from "../../../domain/approvals/decide.ts";
import type { Locale } from "../../../domain/locale.ts";
import { type Refusal, type RefusalCode, refusalIn } from "../../../domain/refusal.ts";
import { isFinal } from "../../../domain/tasks/task.ts";
import type { RefusalView } from "../cards/refusals.ts";
import { personView } from "../people/person-view.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS } from "./door-texts.ts";

/** What a refused request was about. */
export type Subject = {
  readonly team: string;
  readonly locale: Locale;
  /** The id of the person who was refused. */
  readonly by: string;
  readonly groups?: readonly string[] | undefined;
  readonly approvalId?: string | undefined;
  readonly taskId?: string | undefined;
};

const GONE: readonly RefusalCode[] = [
  "APPROVAL_NOT_FOUND",
  "TASK_NOT_FOUND",
  "EXECUTION_NOT_FOUND",
  "GROUP_NOT_FOUND",
];

/** Explains a refusal of the core to a person in Slack. */
export async function explainRefusal(
  incoming: Incoming,
  subject: Subject,
  refusal: Refusal,
): Promise<RefusalView> {
  const { locale } = subject;
  const { code, message, hint } = refusalIn(refusal, locale);
  if (GONE.includes(code)) return { locale, reason: "oldButton" };
  if (code === "NOT_ALLOWED") return { locale, reason: "viewer" };
  if (code === "VERSION_CONFLICT") return { locale, reason: "stale" };
  if (code === "APPROVAL_EXPIRED") return { locale, reason: "expired" };
  const approval = await incoming.core.store.getApproval(subject.approvalId ?? "");
  if (approval && code === "APPROVAL_ALREADY_DECIDED") {
    return decidedView(incoming, subject, approval);
  }
  if (approval && code === "APPROVAL_NOT_YOURS" && !maySubjectDecide(subject, approval)) {
    return {
      locale,
      reason: "notApprover",
      approvers: await approversOf(incoming, subject, approval),
    };
  }
  const task = await incoming.core.store.getTask(subject.taskId ?? "");
  if (task && isFinal(task)) return { locale, reason: "taskOver" };
  const known = DOOR_TEXTS[locale].refusals[code];
  return known === undefined
    ? { locale, reason: "refused", message, hint }
    : { locale, reason: "refused", message: known, hint: "" };
}

function maySubjectDecide({ by, groups }: Subject, approval: Approval): boolean {
  return mayDecide(approval, by, groups);
}

export async function decidedView(
  incoming: Incoming,
  { team, locale }: Pick<Subject, "team" | "locale">,
  { status, decidedBy, decidedAt }: Approval,
): Promise<RefusalView> {
  const isDecided = status === "approved" || status === "rejected";
  if (!isDecided || decidedBy === null || decidedAt === null) return { locale, reason: "closed" };
  const by = await personView(incoming, team, decidedBy);
  return { locale, reason: "alreadyDecided", decision: status, by, decidedAt };
}

async function approversOf(incoming: Incoming, { team }: Subject, approval: Approval) {
  const { policy, requester } = approval;
  const ids =
    "users" in policy ? (policy.users ?? []) : policy.who === "requester" ? [requester] : [];
  return Promise.all(ids.map((id) => personView(incoming, team, id)));
}
