import { fieldsOf, textOf } from "../base/narrow.ts";
import { STOP_TYPES } from "../domain/notifications/notification.ts";
import type { ToolAnswer } from "./answer.ts";
import { oneLine } from "./read-prompt.ts";
import type { Run } from "./run.ts";
import type { RehearsalTexts } from "./texts.ts";

export type StopType = (typeof STOP_TYPES)[number];

/** A notification that was read. Its text is one line, so that no line of it can be a directive. */
export type ReceivedNotification = {
  readonly id: string;
  readonly type: StopType | "message" | "replan";
  readonly text: string;
  /** Why a person interrupts the task; empty for other types. */
  readonly reason: string;
  readonly from: string;
};

/** Thrown when a stop notification was read: nothing more may begin. */
export class Interrupted extends Error {
  readonly action: StopType;
  /** The person's words; may be empty. */
  readonly reason: string;

  constructor(action: StopType, reason: string) {
    super(`Interrupted (${action}).`);
    this.action = action;
    this.reason = reason;
  }
}

const READ_TOOL = "get_notifications";
const TEXT_CHARS = 500;
const TRIES = 3;

/**
 * Makes a call and handles the notifications announced on its answer before anything else. Used for
 * every call but the report.
 */
export async function callTool(
  run: Run,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const answer = await run.tools.call(name, args);
  if (name === READ_TOOL) throwIfInterrupted(recordNotifications(run, answer));
  else if (answer.isNotifying) await handleNotifications(run);
  return answer;
}

/**
 * Returns false if the notifications could not be read; the next answer then announces them again.
 */
export async function handleNotifications(run: Run): Promise<boolean> {
  const fresh = await readNotifications(run);
  throwIfInterrupted(fresh);
  return fresh !== undefined;
}

/** Reads, prints and records notifications without acting on them. */
export async function readNotifications(
  run: Run,
): Promise<readonly ReceivedNotification[] | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await run.tools.call(READ_TOOL, {});
    // Reading twice is harmless; missing a notification is not.
    if (!answer.isOutcomeUnknown || tries === TRIES) return recordNotifications(run, answer);
  }
}

function throwIfInterrupted(notifications: readonly ReceivedNotification[] = []): void {
  for (const { type, reason } of notifications) {
    if (type === "blocked" || type === "cancelled") throw new Interrupted(type, reason);
  }
}

function recordNotifications(
  { stream, diary, texts }: Run,
  { fields, isError }: ToolAnswer,
): readonly ReceivedNotification[] | undefined {
  if (isError || !Array.isArray(fields.notifications)) return undefined;
  const known = new Set(diary.notifications.map(({ id }) => id));
  const fresh = fields.notifications
    .map((each) => parseNotification(each, texts))
    .filter(({ id }) => !known.has(id));
  for (const { type, text, from } of fresh) {
    stream.say(texts.simulated(texts.notification(type, from, text)));
  }
  diary.notifications.push(...fresh);
  return fresh;
}

function parseNotification(value: unknown, texts: RehearsalTexts): ReceivedNotification {
  const fields = fieldsOf(value);
  const from = oneLine(textOf(fields.from) ?? texts.unknownSender, TEXT_CHARS);
  const action = STOP_TYPES.find((known) => known === fields.action);
  if (fields.type === "status_change" && action) {
    const message = texts.statusChanged(action, textOf(fields.message) ?? "");
    // A stop notification has no id and is returned by every read.
    const id = `${action} ${textOf(fields.task_id)}`;
    const reason = oneLine(textOf(fields.reason) ?? "", TEXT_CHARS);
    return { id, type: action, text: oneLine(`${message} ${reason}`, TEXT_CHARS), reason, from };
  }
  const text = oneLine(textOf(fields.text) ?? "", TEXT_CHARS);
  // A notification of an unknown type requests nothing that a rehearsal could do.
  const type = fields.type === "replan" ? "replan" : "message";
  return { id: textOf(fields.id) ?? `${type} ${text}`, type, text, reason: "", from };
}
