import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../base/narrow.ts";
import type { ToolAnswer } from "./answer.ts";
import { callTool, handleNotifications, Interrupted } from "./notifications.ts";
import { oneLine } from "./read-prompt.ts";
import type { Run } from "./run.ts";
import type { RehearsalTexts } from "./texts.ts";

/**
 * A person takes longer than an agent may wait: this agent ends, and the next executor continues.
 */
export class Parked extends Error {}

/**
 * The hint of a refusal that asks for the same call again, which then finds the person's decision.
 */
const CALL_AGAIN = "exactly the same arguments";
const PAUSE_MS = 200;
const REASON_CHARS = 300;

/**
 * Repeats a call while its answer asks for that, and ends when the answer says so. `isGuarded`: the
 * call belongs to an approved step. The daemon knows whether it forwarded such a call before its
 * answer was lost, and asks a person, so the call can be repeated; any other call must not be.
 */
export async function callUntilDecided(
  run: Run,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { isGuarded = false } = {},
): Promise<ToolAnswer> {
  for (;;) {
    const askedAt = Date.now();
    const answer = await callTool(run, name, args);
    const code = codeOf(answer);
    if (code === "PARKED") throw new Parked(reasonOf(answer, run.texts));
    if (code === "STOP_REQUESTED") await endInterrupted(run, answer);
    const isLost = isGuarded && answer.isOutcomeUnknown;
    if (!isLost && !isUndecided(answer, isGuarded)) return answer;
    await pauseAfter(askedAt);
  }
}

/** A lost call that no person is asked about must not be repeated: its hint differs. */
function isUndecided(answer: ToolAnswer, isGuarded: boolean): boolean {
  const code = codeOf(answer);
  if (code === "APPROVAL_PENDING") return true;
  const isAsked = isGuarded || textOf(answer.fields.hint)?.includes(CALL_AGAIN) === true;
  return code === "OUTCOME_UNKNOWN" && isAsked;
}

/** Prevents a busy loop when answers arrive at once. */
export async function pauseAfter(askedAt: number): Promise<void> {
  if (Date.now() - askedAt < PAUSE_MS) await sleep(PAUSE_MS);
}

/** The code of a refusal. */
export function codeOf({ isError, fields }: ToolAnswer): string | undefined {
  return isError ? textOf(fields.code) : undefined;
}

export function reasonOf({ fields, text }: ToolAnswer, texts: RehearsalTexts): string {
  const parts = [fields.message, fields.hint].flatMap((part) => textOf(part) ?? []);
  return oneLine(parts.join(" ") || text, REASON_CHARS) || texts.emptyAnswer;
}

/**
 * The stop notification says whether the task is blocked or cancelled; if it cannot be read, the
 * hint of the refusal decides.
 */
async function endInterrupted(run: Run, answer: ToolAnswer): Promise<never> {
  await handleNotifications(run);
  const action = textOf(answer.fields.hint)?.includes("cancelled") ? "cancelled" : "blocked";
  // The notification, which has the person's reason, could not be read.
  throw new Interrupted(action, "");
}
