import { textOf } from "../../base/narrow.ts";
import type { Ledger } from "../../domain/groups/ledger.ts";
import { ADVICE_TEXT } from "../../domain/groups/magentic.ts";
import { oneLine } from "../read-prompt.ts";
import type { Run } from "../run.ts";
import { CallFailed, repeat } from "./fleet.ts";

const ADVICE_CHARS = 500;

/**
 * Returns the advice in the answer. A refusal is ignored, because without a ledger the server
 * judges by itself.
 */
export async function updateLedger(run: Run, ledger: Partial<Ledger>): Promise<readonly string[]> {
  try {
    const { fields } = await repeat(run, "update_ledger", { ...ledger });
    const advice = textOf(fields.advice);
    return advice ? [oneLine(advice, ADVICE_CHARS)] : [];
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    run.stream.say(run.texts.simulated(run.texts.noLedger(error.message)));
    return [];
  }
}

/** All advice to replan, from notifications and from the ledger, each text once. */
export function adviceSoFar(run: Run, ofLedger: readonly string[]): readonly string[] {
  const notifications = run.diary.notifications.filter(({ type }) => type === "replan");
  return [...new Set([...notifications.map(({ text }) => text), ...ofLedger])];
}

/** The advice is to leave the decision to a person. */
export function isGivenUp(advice: readonly string[]): boolean {
  return advice.includes(oneLine(ADVICE_TEXT.give_up, ADVICE_CHARS)) || advice.includes("give_up");
}
