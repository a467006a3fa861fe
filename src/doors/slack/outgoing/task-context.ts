import type { TaskView } from "../../../app/tasks/view-task.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import { yesNeeded } from "../../../domain/approvals/decide.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { CardView, DecisionTerms } from "../cards/views.ts";
import type { PersonView } from "../text/mention.ts";

/** What the messages of a task show besides the task. */
export type TaskContext = {
  readonly locale: Locale;
  /** The address of the dashboard, without a slash at the end. */
  readonly dashboardUrl: string | undefined;
  readonly person: (id: string | null) => PersonView;
  readonly maxRegenerations: number;
  /** The messages that exist already, by key. */
  readonly known: ReadonlyMap<string, { readonly isDead: boolean }>;
};

export type TaskProjection = { readonly view: TaskView; readonly context: TaskContext };

export function taskCardView({ view, context }: TaskProjection): CardView {
  const { locale, dashboardUrl } = context;
  return { locale, ...(dashboardUrl && { dashboardUrl: `${dashboardUrl}/tasks/${view.task.id}` }) };
}

export function approvalCardView({ context }: TaskProjection, { id }: Approval): CardView {
  const { locale, dashboardUrl } = context;
  return { locale, ...(dashboardUrl && { dashboardUrl: `${dashboardUrl}/approvals/${id}` }) };
}

/** The people of the rule, the number of votes and the deadline. */
export function termsOf({ context }: TaskProjection, approval: Approval): DecisionTerms {
  const { policy, votes, expiresAt } = approval;
  const given = votes.filter(({ decision }) => decision === "approve").length;
  return {
    approvers: approversOf(approval).map(context.person),
    ...(policy.who === "quorum" && { votes: { given, needed: yesNeeded(policy) } }),
    ...(expiresAt !== null && { expiresAt }),
  };
}

/** Empty if the rule names no person. */
function approversOf({ policy, requester }: Approval): readonly string[] {
  switch (policy.who) {
    case "requester":
      return [requester];
    case "approvers":
      return policy.users;
    case "quorum":
      return policy.users ?? [];
    case "anyone":
    case "not-requester":
      return [];
  }
}

/** Everybody whom the messages of a task may name. */
export function peopleIn({ task, approvals }: TaskView): readonly string[] {
  const named = approvals.flatMap((approval) => [
    ...approversOf(approval),
    ...(approval.decidedBy === null ? [] : [approval.decidedBy]),
  ]);
  return [
    ...new Set([task.requester, ...(task.statusBy === null ? [] : [task.statusBy]), ...named]),
  ];
}
