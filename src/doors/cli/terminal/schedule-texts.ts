import type { Locale } from "../../../domain/locale.ts";
import type { RunStatus, SelfPause } from "../../../domain/schedules/schedule.ts";

/** What the terminal says about schedules. */
export type ScheduleTexts = {
  readonly locale: Locale;
  readonly none: string;
  readonly cronNeeded: string;
  readonly textOrTemplate: string;
  readonly valuesNeedTemplate: string;
  readonly fromTemplate: (id: string, values: readonly string[]) => string;
  readonly added: (id: string) => string;
  readonly paused: (by: string) => string;
  readonly pausedItself: Record<SelfPause, string>;
  readonly next: (time: string, zone: string) => string;
  readonly nextTimes: string;
  readonly history: string;
  readonly noHistory: string;
  readonly run: Record<RunStatus, string>;
  readonly missedTimes: (count: number) => string;
  readonly manual: string;
  readonly removed: (id: string) => string;
  readonly started: (taskId: string) => string;
  readonly policies: (missed: string, overlap: string) => string;
  readonly needsDaemon: string;
};

const ja: ScheduleTexts = {
  locale: "ja",
  none: 'スケジュールはありません。`kuromajutsu schedule add "依頼" --cron "0 9 * * 1"` で追加できます。',
  cronNeeded: '--cron で時刻を指定してください。例: --cron "0 9 * * 1"（毎週月曜日 9:00）',
  textOrTemplate:
    '依頼の内容か --template のどちらか一方を指定してください。例: kuromajutsu schedule add "週報を書いて" --cron "0 9 * * 1"',
  valuesNeedTemplate: "--set はテンプレートの値です。--template と一緒に指定してください。",
  fromTemplate: (id, values) =>
    `テンプレート ${id}${values.length === 0 ? "" : `（${values.join("、")}）`}。予定の時刻ごとに読み直します。前回の内容:`,
  added: (id) => `スケジュールを追加しました: ${id}`,
  paused: (by) => `一時停止中（${by}）`,
  pausedItself: {
    requester_gone: "自動で一時停止: 依頼者がいなくなりました。再開した利用者が依頼者になります",
    requester_not_operator:
      "自動で一時停止: 依頼者が operator ではなくなりました。再開した利用者が依頼者になります",
  },
  next: (time, zone) => `次回 ${time}（${zone}）`,
  nextTimes: "次の予定",
  history: "履歴",
  noHistory: "まだ実行されていません。",
  run: {
    started: "開始",
    queued: "前のタスクの終了待ち",
    skipped_missed: "見送り（デーモンが停止中）",
    skipped_overlap: "見送り（前のタスクが未終了）",
    failed: "失敗",
  },
  missedTimes: (count) => `${count} 回分`,
  manual: "手動",
  removed: (id) => `スケジュールを削除しました: ${id}`,
  started: (taskId) => `タスクを依頼しました: ${taskId}`,
  policies: (missed, overlap) => `missed: ${missed}、overlap: ${overlap}`,
  needsDaemon: "予定の時刻にはデーモンが動いている必要があります（npx kuromajutsu serve）。",
};

const en: ScheduleTexts = {
  locale: "en",
  none: 'There are no schedules. Add one: `kuromajutsu schedule add "request" --cron "0 9 * * 1"`',
  cronNeeded: 'Say when with --cron, such as --cron "0 9 * * 1" (every Monday at 9:00).',
  textOrTemplate:
    'Give either a text or --template, such as: kuromajutsu schedule add "Write the weekly report" --cron "0 9 * * 1"',
  valuesNeedTemplate: "--set gives a value of a template. Name the template with --template.",
  fromTemplate: (id, values) =>
    `Template ${id}${values.length === 0 ? "" : ` (${values.join(", ")})`}, read again at each planned time. Its text when last read:`,
  added: (id) => `Added the schedule ${id}`,
  paused: (by) => `paused by ${by}`,
  pausedItself: {
    requester_gone: "paused itself: its requester is gone; the person who resumes it takes it over",
    requester_not_operator:
      "paused itself: its requester is no operator any more; the person who resumes it takes it over",
  },
  next: (time, zone) => `next ${time} (${zone})`,
  nextTimes: "Next times",
  history: "History",
  noHistory: "It has not run yet.",
  run: {
    started: "started",
    queued: "waits for the task before it",
    skipped_missed: "skipped (no daemon ran)",
    skipped_overlap: "skipped (an earlier task was not over)",
    failed: "failed",
  },
  missedTimes: (count) => (count === 1 ? "1 time" : `${count} times`),
  manual: "by hand",
  removed: (id) => `Removed the schedule ${id}`,
  started: (taskId) => `Requested the task ${taskId}`,
  policies: (missed, overlap) => `missed: ${missed}, overlap: ${overlap}`,
  needsDaemon: "A daemon must run at the planned times (npx kuromajutsu serve).",
};

export const SCHEDULE_TEXTS: Readonly<Record<Locale, ScheduleTexts>> = { ja, en };
