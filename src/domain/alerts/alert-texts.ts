import type { Locale } from "../locale.ts";
import type { AlertKind, AlertSubject } from "./alert.ts";

type Heading = Readonly<Record<AlertKind, string>>;

const HEADINGS: Readonly<Record<Locale, Heading>> = {
  ja: {
    "task.waiting": "タスクが人の対応を待っています",
    "task.completed": "タスクが完了しました",
    "task.failed": "タスクが失敗しました",
    "task.cancelled": "タスクが中止されました",
    "group.completed": "グループのエージェントがすべて終わりました",
    "group.failed": "グループのエージェントが失敗しました",
    "agent.waiting": "エージェントが人の対応を待っています",
    "agent.completed": "エージェントが完了しました",
    "agent.failed": "エージェントが失敗しました",
    "schedule.paused": "スケジュールが自動で一時停止しました",
  },
  en: {
    "task.waiting": "A task is waiting for a person",
    "task.completed": "A task was completed",
    "task.failed": "A task failed",
    "task.cancelled": "A task was cancelled",
    "group.completed": "All agents of a group have finished",
    "group.failed": "Agents of a group failed",
    "agent.waiting": "An agent is waiting for a person",
    "agent.completed": "An agent has finished",
    "agent.failed": "An agent failed",
    "schedule.paused": "A schedule paused itself",
  },
};

const COUNT: Readonly<Record<Locale, (count: number) => string>> = {
  ja: (count) => `アラートが ${count} 件あります`,
  en: (count) => `${count} alerts`,
};

export type AlertText = Pick<AlertSubject, "kind" | "title" | "detail">;

/** One line that says what happened, such as "A task failed: Quarterly report". */
export function alertLine({ kind, title }: AlertText, locale: Locale): string {
  return `${HEADINGS[locale][kind]}: ${title}`;
}

const TEST: Readonly<Record<Locale, string>> = {
  ja: "これは Kuromajutsu のアラートのテストです。",
  en: "This is a test of Kuromajutsu's alerts.",
};

/** The plain text of a message, for targets that show nothing else. */
export function messageText(message: {
  readonly alerts: readonly AlertText[];
  readonly locale: Locale;
  readonly isTest: boolean;
}): string {
  const { alerts, locale, isTest } = message;
  return isTest ? TEST[locale] : alertsText(alerts, locale);
}

/** Plain text for several alerts: a line for each, with its detail below it. */
function alertsText(alerts: readonly AlertText[], locale: Locale): string {
  const [first] = alerts;
  const lines = alerts.map((alert) => {
    const line = alertLine(alert, locale);
    return alert.detail === null ? line : `${line}\n${alert.detail}`;
  });
  if (first === undefined || alerts.length === 1) return lines.join("\n");
  return [COUNT[locale](alerts.length), ...lines.map((line) => `- ${line}`)].join("\n");
}
