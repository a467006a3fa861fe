import type { ProgressLedger, TaskLedger } from "../../domain/groups/ledger.ts";
import type { RehearsalTexts } from "../texts.ts";
import { describe, isSuccess, type Iteration } from "./iteration.ts";
import type { Plan } from "./plan.ts";

export function taskLedger(
  plan: Plan,
  past: readonly Iteration[],
  advice: readonly string[],
  texts: RehearsalTexts,
): TaskLedger {
  const { ledger, simulated } = texts;
  return {
    factsGiven: [
      simulated(ledger.given(plan.task, texts.list(plan.roles))),
      ...past.map((each) => describe(each, texts)),
      ...advice.map(ledger.replan),
    ].join("\n"),
    factsToLookUp: simulated(ledger.toLookUp),
    factsToDerive: simulated(ledger.toDerive),
    guesses: simulated(ledger.guesses),
    plan: simulated((plan.isSame ? ledger.samePlan : ledger.plan)(plan.iterations)),
  };
}

/** Depends only on the requests and on the status of each result. */
export function progressLedger(
  plan: Plan,
  past: readonly Iteration[],
  { ledger, simulated }: RehearsalTexts,
): ProgressLedger {
  const { number, results, requests } = past.at(-1) ?? { number: 0, results: [], requests: [] };
  const before = past.at(-2)?.requests;
  const inLoop = before !== undefined && JSON.stringify(before) === JSON.stringify(requests);
  const isLast = number >= plan.iterations;
  const isDone = isSatisfied(plan, past);
  const good = results.filter(isSuccess).length;
  const count = simulated(ledger.count(results.length, good));
  return {
    requestSatisfied: {
      answer: isDone,
      reason: isLast ? count : ledger.onceMore(count),
    },
    inLoop: {
      answer: inLoop,
      reason: simulated(inLoop ? ledger.loop : ledger.noLoop),
    },
    progressMade: { answer: good > 0 && !inLoop, reason: count },
    nextAction: {
      answer: simulated(isLast ? ledger.nextReport : ledger.nextReplan),
      reason: simulated(ledger.progress(plan.iterations, number)),
    },
    instruction: {
      answer: simulated(isLast ? ledger.instructReport : ledger.instructRead),
      reason: simulated(ledger.noThought),
    },
  };
}

export function isSatisfied(plan: Plan, past: readonly Iteration[]): boolean {
  const last = past.at(-1);
  return last !== undefined && last.number >= plan.iterations && last.results.every(isSuccess);
}
