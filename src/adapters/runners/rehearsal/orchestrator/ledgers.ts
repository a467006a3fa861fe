import type { ProgressLedger, TaskLedger } from "../../../../domain/ledger.ts";
import { describe, isSuccess, type Iteration } from "./iteration.ts";
import type { Plan } from "./plan.ts";

export function taskLedger(
  plan: Plan,
  past: readonly Iteration[],
  advice: readonly string[],
): TaskLedger {
  return {
    factsGiven: [
      `リハーサル: 依頼の 1 行目は「${plan.task}」です。任せられる職種は ${plan.roles.join("、")} です。`,
      ...past.map(describe),
      ...advice.map((text) => `見直しを求められました: ${text}`),
    ].join("\n"),
    factsToLookUp: "リハーサル: モデルに尋ねないので、調べることはありません。",
    factsToDerive: "リハーサル: 各 Agent の結果の status だけから、成功したかを判断します。",
    guesses: "リハーサル: 推測はしていません。",
    plan: plan.isSame
      ? `リハーサル: 同じ職種と同じプロンプトを ${plan.iterations} 回任せます (指示による)。`
      : `リハーサル: 2 人に任せ、その結果を引用して 1 人に任せ直し、反復 ${plan.iterations} 回で報告します。`,
  };
}

/** Judged by what was asked and by the status of each result, and by nothing else. */
export function progressLedger(plan: Plan, past: readonly Iteration[]): ProgressLedger {
  const { number, outcomes, requests } = past.at(-1) ?? { number: 0, outcomes: [], requests: [] };
  const before = past.at(-2)?.requests;
  const inLoop = before !== undefined && JSON.stringify(before) === JSON.stringify(requests);
  const isLast = number >= plan.iterations;
  const isDone = isSatisfied(plan, past);
  const good = outcomes.filter(isSuccess).length;
  const count = `リハーサル: ${outcomes.length} 人のうち ${good} 人が成功しました。`;
  return {
    requestSatisfied: {
      answer: isDone,
      reason: isLast ? count : `${count} 計画どおり、もう一度任せます。`,
    },
    inLoop: {
      answer: inLoop,
      reason: inLoop
        ? "リハーサル: 前の反復と職種もプロンプトも同じです。"
        : "リハーサル: 前の反復と同じ依頼はしていません。",
    },
    progressMade: { answer: good > 0 && !inLoop, reason: count },
    nextAction: {
      answer: isLast ? "リハーサル: 報告する" : "リハーサル: 計画を見直して任せ直す",
      reason: `リハーサル: 予定した ${plan.iterations} 回のうち ${number} 回が終わりました。`,
    },
    instruction: {
      answer: isLast
        ? "リハーサル: report_result で報告する"
        : "リハーサル: 前の結果を読んだことを報告させる",
      reason: "リハーサル: モデルに尋ねないので、依頼の中身からは決めていません。",
    },
  };
}

export function isSatisfied(plan: Plan, past: readonly Iteration[]): boolean {
  const last = past.at(-1);
  return last !== undefined && last.number >= plan.iterations && last.outcomes.every(isSuccess);
}
