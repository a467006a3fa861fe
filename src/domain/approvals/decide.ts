import { truncate } from "../../base/truncate.ts";
import type { Locale } from "../locale.ts";
import { Refusal } from "../refusal.ts";
import { statusInJapanese } from "../status-words.ts";
import { canonicalJson } from "../text/canonical.ts";
import {
  nextApprovalStatus,
  type Approval,
  type ApprovalPolicy,
  type DecisionChoice,
  type Vote,
} from "./approval.ts";

export type Decision = {
  readonly decision: Vote["decision"];
  /** The version of the approval that the person saw. */
  readonly version: number;
  readonly reason?: string;
  readonly scope?: DecisionChoice["scope"];
  readonly onReject?: DecisionChoice["onReject"];
  readonly answer?: string;
};

/** The text that is hashed to identify what people see. */
export function shownText({ shown }: Pick<Approval, "shown">): string {
  return canonicalJson(shown);
}

export function mayDecide(
  { policy, requester }: Pick<Approval, "policy" | "requester">,
  person: string,
  groups: readonly string[] = [],
): boolean {
  const isNamed = (users: readonly string[]) =>
    users.includes(person) || groups.some((group) => users.includes(group));
  switch (policy.who) {
    case "anyone":
      return true;
    case "requester":
      return person === requester;
    case "not-requester":
      return person !== requester;
    case "approvers":
      return isNamed(policy.users);
    case "quorum":
      return policy.users === null || isNamed(policy.users);
  }
}

/**
 * The approval after one person's vote. It stays `pending` while more people have to approve.
 * Refuses a vote that is too late, not allowed, based on an old version, or incomplete.
 */
export function decide(
  approval: Approval,
  by: string,
  given: Decision,
  now: number,
  groups: readonly string[] = [],
): Approval {
  requireOpen(approval, now);
  requireMayDecide(approval, by, groups);
  requireSeen(approval, given.version);
  requireNewYes(approval, by, given.decision);
  const reason = given.reason?.trim() || null;
  requireReason(approval, given.decision, reason);
  const choice = choiceOf(approval, given);
  const vote: Vote = { by, decision: given.decision, reason, at: now };
  // A person who approved may still reject: their last vote counts.
  const votes = [...approval.votes.filter((each) => each.by !== by), vote];
  const after = { ...approval, votes, choice };
  if (given.decision === "approve" && votes.length < yesNeeded(approval.policy)) return after;
  const event = given.decision === "approve" ? "approved" : "rejected";
  return {
    ...after,
    status: nextApprovalStatus(approval.status, event),
    decidedBy: by,
    decidedAt: now,
    reason,
  };
}

/** How many different people must approve. */
export function yesNeeded(policy: ApprovalPolicy): number {
  return policy.who === "quorum" ? policy.count : 1;
}

/** Refuses a decision about a decided or closed approval, and says who decided. */
export function requireOpen(approval: Approval, now: number): void {
  const { id, status } = approval;
  if (status === "expired" || isExpired(approval, now)) {
    throw new Refusal("APPROVAL_EXPIRED", {
      en: [
        `${id} expired at ${timeOf(approval.expiresAt ?? now)}; nobody decided in time.`,
        "Retry the task: people are then asked again.",
      ],
      ja: [
        `${id} は ${timeOf(approval.expiresAt ?? now)} に期限が切れました。期限までに決定されませんでした。`,
        "タスクを再実行すると、もう一度確認されます。",
      ],
    });
  }
  if (status === "pending") return;
  if (status === "approved" || status === "rejected") {
    throw new Refusal("APPROVAL_ALREADY_DECIDED", {
      en: [
        `${approval.decidedBy ?? "Somebody"} ${status} ${id} at ${timeOf(approval.decidedAt ?? now)}${because(approval)}.`,
        "That decision stands; your own changed nothing.",
      ],
      ja: [
        `${id} は ${approval.decidedBy ?? "ほかの利用者"} が ${timeOf(approval.decidedAt ?? now)} に${status === "approved" ? "承認" : "却下"}しました${approval.reason === null ? "" : `（${approval.reason}）`}。`,
        "その決定が有効で、あなたの操作では何も変わっていません。",
      ],
    });
  }
  throw new Refusal("APPROVAL_ALREADY_DECIDED", {
    en: [
      `${id} was closed (${status}) before anybody decided.`,
      "There is nothing to decide any more; look at the task.",
    ],
    ja: [
      `${id} は、決定される前に閉じられました（${statusInJapanese(status)}）。`,
      "決めることはもうありません。タスクを確かめてください。",
    ],
  });
}

export function isExpired(
  { status, expiresAt }: Pick<Approval, "status" | "expiresAt">,
  now: number,
): boolean {
  return status === "pending" && expiresAt !== null && expiresAt <= now;
}

export function requireMayDecide(
  approval: Approval,
  by: string,
  groups: readonly string[] = [],
): void {
  if (!mayDecide(approval, by, groups)) {
    throw new Refusal("APPROVAL_NOT_YOURS", {
      en: [`${by} may not decide ${approval.id}.`, `It is for ${whoDecides(approval)}.`],
      ja: [
        `${by} は ${approval.id} を決定できません。`,
        `決定できるのは${whoDecides(approval, "ja")}です。`,
      ],
    });
  }
}

export function requireSeen({ id, version }: Approval, seen: number): void {
  if (seen === version) return;
  throw new Refusal("VERSION_CONFLICT", {
    en: [
      `${id} has version ${version}; the decision names ${seen}.`,
      "Read it again, and decide with its new version.",
    ],
    ja: [
      `${id} のバージョンは ${version} ですが、決定は ${seen} に対するものです。`,
      "読み直して、新しいバージョンで決定してください。",
    ],
  });
}

/** A description for people and hints. */
export function whoDecides(approval: Approval, locale: Locale = "en"): string {
  if (locale === "ja") return whoDecidesInJapanese(approval);
  const { policy, requester } = approval;
  switch (policy.who) {
    case "anyone":
      return "anyone who may operate";
    case "requester":
      return `${requester}, who asked for the task`;
    case "not-requester":
      return `anyone but ${requester}, who asked for the task`;
    case "approvers":
      return policy.users.join(" or ");
    case "quorum":
      return `${policy.count} of ${policy.users?.join(", ") ?? "all people"}`;
  }
}

function whoDecidesInJapanese({ policy, requester }: Approval): string {
  switch (policy.who) {
    case "anyone":
      return "操作の権限を持つ利用者";
    case "requester":
      return `依頼者の ${requester}`;
    case "not-requester":
      return `依頼者の ${requester} 以外の利用者`;
    case "approvers":
      return policy.users.join(" か ");
    case "quorum":
      return `${policy.users?.join("、") ?? "全員"}のうち ${policy.count} 人`;
  }
}

/** Refuses a second approval by the same person; a rejection is allowed. */
function requireNewYes({ id, policy, votes }: Approval, by: string, decision: string): void {
  if (decision === "reject" || votes.every((vote) => vote.by !== by)) return;
  throw new Refusal("APPROVAL_NOT_YOURS", {
    en: [
      `${by} has approved ${id} already; that counts once.`,
      `${yesNeeded(policy)} different people must approve, ${votes.length} have.`,
    ],
    ja: [
      `${by} は ${id} をすでに承認しています。数えるのは 1 回だけです。`,
      `${yesNeeded(policy)} 人の承認が必要です（今は ${votes.length} 人）。`,
    ],
  });
}

function requireReason(
  { kind }: Approval,
  decision: Vote["decision"],
  reason: string | null,
): void {
  if (decision === "approve" || reason !== null || (kind !== "prompt" && kind !== "process"))
    return;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      "Rejecting a draft needs a reason: the next draft follows it.",
      "Give `reason`: what must be different.",
    ],
    ja: [
      "下書きの却下には理由が要ります。次の下書きに反映されます。",
      "`reason` に、どう変えるかを書いてください。",
    ],
  });
}

function choiceOf(approval: Approval, given: Decision): DecisionChoice {
  const before = approval.choice;
  const answer = given.decision === "approve" ? answerOf(approval, given.answer) : null;
  requireAgreement(approval, given.decision, answer);
  // If people chose different scopes, the narrower one applies.
  const isOnce = given.scope !== "any_arguments" || before?.scope === "once";
  return {
    scope: isOnce ? "once" : "any_arguments",
    onReject: given.onReject ?? "fail",
    answer,
  };
}

/** People who decide together must give the same answer. */
function requireAgreement(
  { choice, votes }: Approval,
  decision: Vote["decision"],
  answer: string | null,
): void {
  if (decision === "reject" || votes.length === 0 || choice === null) return;
  if (choice.answer === answer) return;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `${votes.map(({ by }) => by).join(", ")} answered ${JSON.stringify(choice.answer)}.`,
      "Give the same answer, or reject.",
    ],
    ja: [
      `${votes.map(({ by }) => by).join("、")} の答えは ${JSON.stringify(choice.answer)} でした。`,
      "同じ答えにするか、却下してください。",
    ],
  });
}

const OUTCOMES = ["done", "repeat"];

function answerOf({ kind, choices }: Approval, given: string | undefined): string | null {
  if (kind !== "question" && kind !== "outcome") return null;
  const allowed = kind === "outcome" ? OUTCOMES : choices;
  const answer = given?.trim() ?? "";
  const chosen = allowed.length === 0 ? answer : allowed.find((choice) => choice.trim() === answer);
  if (answer !== "" && chosen !== undefined) return chosen;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      answer === ""
        ? "The answer is missing."
        : `${JSON.stringify(answer)} is none of the choices.`,
      allowed.length === 0 ? "Give `answer`." : `Give \`answer\`: ${allowed.join(" or ")}.`,
    ],
    ja: [
      answer === "" ? "答えがありません。" : `${JSON.stringify(answer)} は選択肢にありません。`,
      allowed.length === 0
        ? "`answer` に答えを書いてください。"
        : `\`answer\` に次のどれかを指定してください: ${allowed.join("、")}。`,
    ],
  });
}

const MAX_REASON_CHARS = 200;

function because({ reason }: Approval): string {
  return reason === null ? "" : ` (${truncate(reason, MAX_REASON_CHARS)})`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
