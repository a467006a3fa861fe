import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../base/narrow.ts";
import type { ToolAnswer } from "./answer.ts";
import { callTool, handleNotifications, Interrupted } from "./notifications.ts";
import { oneLine } from "./read-prompt.ts";
import type { Run } from "./run.ts";
import type { RehearsalTexts } from "./texts.ts";

/** A person takes longer than an agent may wait: nothing more is done, and the next one goes on. */
export class Parked extends Error {}

/** The daemon asks for the same call again: it will find the person's decision. */
const CALL_AGAIN = "exactly the same arguments";
const PAUSE_MS = 200;
const REASON_CHARS = 300;

/**
 * Goes on asking for as long as it is told to, and ends when it is told to end. `isGuarded`: of an
 * approved step. The daemon knows then whether it forwarded a call whose answer was lost, and asks
 * a person, so that it can be made again; no other call may be made twice.
 */
export async function callPatiently(
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

/** A lost call that no person is asked about must not be made again: its hint says something else. */
function isUndecided(answer: ToolAnswer, isGuarded: boolean): boolean {
  const code = codeOf(answer);
  if (code === "APPROVAL_PENDING") return true;
  const isAsked = isGuarded || textOf(answer.fields.hint)?.includes(CALL_AGAIN) === true;
  return code === "OUTCOME_UNKNOWN" && isAsked;
}

/** An answer that comes at once must not become a busy loop. */
export async function pauseAfter(askedAt: number): Promise<void> {
  if (Date.now() - askedAt < PAUSE_MS) await sleep(PAUSE_MS);
}

/** Of a refusal. */
export function codeOf({ isError, fields }: ToolAnswer): string | undefined {
  return isError ? textOf(fields.code) : undefined;
}

export function reasonOf({ fields, text }: ToolAnswer, texts: RehearsalTexts): string {
  const said = [fields.message, fields.hint].flatMap((part) => textOf(part) ?? []);
  return oneLine(said.join(" ") || text, REASON_CHARS) || texts.emptyAnswer;
}

/** The notice says which kind of stop it is; where there is none to read, it stops all the same. */
async function endInterrupted(run: Run, answer: ToolAnswer): Promise<never> {
  await handleNotifications(run);
  const action = textOf(answer.fields.hint)?.includes("cancelled") ? "cancelled" : "blocked";
  throw new Interrupted(action, reasonOf(answer, run.texts));
}
