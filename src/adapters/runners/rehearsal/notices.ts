import { NOTIFICATION_TYPES, type NotificationType } from "../../../domain/notification.ts";
import { fieldsOf, textOf } from "../narrow.ts";
import type { ToolAnswer } from "./answer.ts";
import { oneLine } from "./read-prompt.ts";
import type { Run } from "./run.ts";

/** A notification as we were told it; its text is one line, so that no line of it can steer. */
export type Notice = {
  readonly id: string;
  readonly type: NotificationType;
  readonly text: string;
  readonly from: string;
};

/** Thrown out of whatever is being done: nothing more may be begun. */
export class ToldToStop extends Error {
  readonly notice: Notice;

  constructor(notice: Notice) {
    super(`Told to stop (${notice.type}).`);
    this.notice = notice;
  }
}

const READ_TOOL = "get_notifications";
const NOTICE_CHARS = 500;
const TRIES = 3;

/** Every call but the report: what comes with the answer is obeyed before anything else is done. */
export async function callAndObey(
  run: Run,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const answer = await run.tools.call(name, args);
  if (name === READ_TOOL) obey(takeNotices(run, answer));
  else if (answer.isNotifying) await obeyNotices(run);
  return answer;
}

/** Answers false if they could not be read; then the line comes again with the next call. */
export async function obeyNotices(run: Run): Promise<boolean> {
  const fresh = await hearNotices(run);
  obey(fresh);
  return fresh !== undefined;
}

/** Reads them, says them and remembers them, and does nothing about them. */
export async function hearNotices(run: Run): Promise<readonly Notice[] | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await run.tools.call(READ_TOOL, {});
    // Reading twice does no harm here; not having read may.
    if (!answer.isOutcomeUnknown || tries === TRIES) return takeNotices(run, answer);
  }
}

function obey(notices: readonly Notice[] = []): void {
  const stop = notices.find(({ type }) => type === "blocked" || type === "cancelled");
  if (stop) throw new ToldToStop(stop);
}

function takeNotices(
  { stream, diary }: Run,
  { fields, isError }: ToolAnswer,
): readonly Notice[] | undefined {
  if (isError || !Array.isArray(fields.notifications)) return undefined;
  const known = new Set(diary.notices.map(({ id }) => id));
  const fresh = fields.notifications.map(readNotice).filter(({ id }) => !known.has(id));
  for (const { type, text, from } of fresh) {
    stream.say(`リハーサル: 通知を受け取りました (${type}、${from} から): ${text}`);
  }
  diary.notices.push(...fresh);
  return fresh;
}

function readNotice(value: unknown): Notice {
  const fields = fieldsOf(value);
  const text = oneLine(textOf(fields.text) ?? "", NOTICE_CHARS);
  // One of a kind we do not know asks for nothing we could do.
  const type = NOTIFICATION_TYPES.find((known) => known === fields.type) ?? "message";
  return {
    id: textOf(fields.id) ?? `${type} ${text}`,
    type,
    text,
    from: oneLine(textOf(fields.from) ?? "不明", NOTICE_CHARS),
  };
}
