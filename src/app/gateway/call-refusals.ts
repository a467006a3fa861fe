import type { Approval } from "../../domain/approvals/approval.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import type { ToolRef } from "../../domain/tasks/draft.ts";
import type { Execution } from "../../domain/tasks/execution.ts";
import { toolName } from "../../domain/tasks/step-tool.ts";

/** Refusals of calls; the hint tells the agent what to do next. */

export function approvalPending({ id, kind }: Approval): Refusal {
  if (kind === "outcome")
    return outcomeUnknown({
      en: `A person is being asked (${id}).`,
      ja: `利用者に確認中です（${id}）。`,
    });
  return new Refusal("APPROVAL_PENDING", {
    en: [`A person has not decided yet (${id}).`, "Call again with exactly the same arguments."],
    ja: [`まだ承認されていません（${id}）。`, "まったく同じ引数で、もう一度呼んでください。"],
  });
}

export function outcomeUnknown(why: Texts): Refusal {
  return new Refusal("OUTCOME_UNKNOWN", {
    en: [
      `This call was made and its answer was lost; whether it took effect is not known. ${why.en}`,
      "Do not do it in another way. Call again with exactly the same arguments to wait for the person's answer.",
    ],
    ja: [
      `この呼び出しは送られましたが、応答が失われました。実行されたかどうかは分かりません。${why.ja}`,
      "別の方法では行わないでください。まったく同じ引数でもう一度呼び、利用者の答えを待ってください。",
    ],
  });
}

/** No person is asked about this call, so the agent must find out itself. */
export function outcomeNotAsked(why: Texts): Refusal {
  return new Refusal("OUTCOME_UNKNOWN", {
    en: [
      `This call was made and its answer was lost; whether it took effect is not known. ${why.en}`,
      "Find out with another tool whether it took effect before you call it again, or say so in your report.",
    ],
    ja: [
      `この呼び出しは送られましたが、応答が失われました。実行されたかどうかは分かりません。${why.ja}`,
      "もう一度呼ぶ前に、実行されたかどうかを別のツールで確かめるか、報告に書いてください。",
    ],
  });
}

export function parked({ id }: Approval): Refusal {
  return new Refusal("PARKED", {
    en: [
      `A person has not decided yet (${id}), and this may take long.`,
      'Call report_completed with result "waiting" and end. The decision starts the next agent, which goes on from here.',
    ],
    ja: [
      `まだ承認されていません（${id}）。時間がかかるかもしれません。`,
      'report_completed を result "waiting" で呼んで終わってください。決定のあと、次のエージェントがここから続けます。',
    ],
  });
}

export function approvalExpired({ id, executionId }: Approval): Refusal {
  return new Refusal("APPROVAL_EXPIRED", {
    en: [
      `No person decided in time (${id}).`,
      executionId === null
        ? "Do not do it. If you cannot go on without it, say so in your report."
        : 'Do not do it. If you cannot go on without it, call report_completed with result "failure" and say so.',
    ],
    ja: [
      `期限までに決定されませんでした（${id}）。`,
      executionId === null
        ? "行わないでください。これなしで続けられなければ、報告にそう書いてください。"
        : '行わないでください。これなしで続けられなければ、report_completed を result "failure" で呼び、そう書いてください。',
    ],
  });
}

export function stepRejected({ title, decidedBy, reason, choice }: Approval): Refusal {
  return new Refusal("STEP_REJECTED", {
    en: [
      `${decidedBy ?? "A person"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`,
      choice?.onReject === "skip"
        ? "Go on without this step（このステップなしで続ける）."
        : 'Do not do it in another way. Call report_completed with result "failure" and this reason.',
    ],
    ja: [
      `${decidedBy ?? "利用者"} が「${title}」を却下しました${reason === null ? "。" : `: ${reason}`}`,
      choice?.onReject === "skip"
        ? "このステップなしで続けてください。"
        : '別の方法では行わないでください。この理由を添えて、report_completed を result "failure" で呼んでください。',
    ],
  });
}

/** An agent outside a task has no step and reports with report_result. */
export function callRejected({ title, decidedBy, reason }: Approval): Refusal {
  return new Refusal("STEP_REJECTED", {
    en: [
      `${decidedBy ?? "A person"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`,
      "Do not do it in another way. Go on without it, or say in your report that you could not.",
    ],
    ja: [
      `${decidedBy ?? "利用者"} が「${title}」を却下しました${reason === null ? "。" : `: ${reason}`}`,
      "別の方法では行わないでください。これなしで続けるか、できなかったと報告してください。",
    ],
  });
}

/** Without this limit one agent could bury all other approvals. */
export function tooManyOpen(what: Texts, most: number): Refusal {
  return new Refusal("TOO_MANY_OPEN", {
    en: [
      `You have ${most} ${what.en} open; a person has to decide them first.`,
      "Call again with the arguments of one that is open to wait for it; ask for more when it is decided.",
    ],
    ja: [
      `${what.ja}が ${most} 件、決定を待っています。先に利用者が決める必要があります。`,
      "待っているものと同じ引数でもう一度呼ぶと、その決定を待てます。新しいものは、決定のあとで頼んでください。",
    ],
  });
}

/** A step that a person rejected for all arguments. */
export function stepClosed(stepId: string, reason: string | null): Refusal {
  return new Refusal("STEP_REJECTED", {
    en: [
      `A person rejected ${stepId}${reason === null ? "." : `: ${reason}`}`,
      "Do not do it in another way, and continue only as the rejection allowed.",
    ],
    ja: [
      `利用者が ${stepId} を却下しました${reason === null ? "。" : `: ${reason}`}`,
      "別の方法では行わないでください。却下のときに許された範囲でだけ続けてください。",
    ],
  });
}

export function notInProcess(ref: ToolRef, rejection?: Approval): Refusal {
  const { decidedBy, reason } = rejection ?? {};
  const no = rejection
    ? `, and ${decidedBy ?? "a person"} refused it${reason ? `: ${reason}` : ""}`
    : "";
  return new Refusal("TOOL_NOT_IN_PROCESS", {
    en: [
      `${toolName(ref)} is in no approved step that is left${no}.`,
      "Go on with the tools of the steps; name the step you work on with report_progress.",
    ],
    ja: [
      `${toolName(ref)} は、承認済みの残りのステップにありません${rejection ? `。${decidedBy ?? "利用者"} が却下しました${reason ? `: ${reason}` : ""}` : ""}。`,
      "ステップのツールで続けてください。作業中のステップは report_progress で伝えてください。",
    ],
  });
}

export function executionOver({ id, status }: Execution): Refusal {
  return new Refusal("NOT_IN_AN_EXECUTION", {
    en: [
      `Execution ${id} is over (${status}); nothing more is done for it.`,
      "End now; call report_completed once if you have not.",
    ],
    ja: [
      `実行 ${id} は終わっています（${statusInJapanese(status)}）。これ以上は行われません。`,
      "ここで終わってください。まだなら、report_completed を 1 回だけ呼んでください。",
    ],
  });
}

export function executionStopping({ id, stopFor }: Execution): Refusal {
  return new Refusal("STOP_REQUESTED", {
    en: [
      `Execution ${id} is being stopped; nothing more may be begun for it.`,
      `Call get_notifications, then report_completed with result "${stopFor ?? "blocked"}".`,
    ],
    ja: [
      `実行 ${id} は停止中です。新しいことは始められません。`,
      `get_notifications を呼び、次に report_completed を result "${stopFor ?? "blocked"}" で呼んでください。`,
    ],
  });
}

export function notInAnExecution(): Refusal {
  return new Refusal("NOT_IN_AN_EXECUTION", {
    en: [
      "You do not work on the execution of a task.",
      "Do what you were asked to do and finish with report_result.",
    ],
    ja: [
      "あなたはタスクの実行に加わっていません。",
      "頼まれたことを行い、report_result で終わってください。",
    ],
  });
}
