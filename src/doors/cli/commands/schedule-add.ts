import { MISSED_POLICIES, OVERLAP_POLICIES } from "../../../domain/schedules/schedule.ts";
import { TASK_PRIORITIES } from "../../../domain/tasks/task.ts";
import {
  choice,
  CONFIG_OPTION,
  defineCommand,
  flag,
  option,
  optionalArgument,
  repeatedOption,
} from "../define-command.ts";

export const scheduleAdd = defineCommand({
  name: "schedule add",
  summary: {
    en: "request the same task again and again, at the times of a cron expression",
    ja: "cron 式の時刻に、同じタスクを繰り返し依頼します",
  },
  details: {
    en: "People approve each task as usual. A daemon must run at the planned times: docs/schedules.md.",
    ja: "承認は毎回いつもどおり必要です。予定の時刻にはデーモンが動いている必要があります（docs/schedules.md）。",
  },
  examples: [
    'kuromajutsu schedule add "…" --cron "0 9 * * 1" --tz Asia/Tokyo',
    'kuromajutsu schedule add "…" --cron "0 18 * * 1-5" --missed skip --overlap queue',
    'kuromajutsu schedule add --template weekly-report --set period="…" --cron "0 9 * * 1"',
  ],
  arguments: {
    text: optionalArgument({
      en: "what is to be done, in quotes; or name a template with --template",
      ja: "依頼の内容（引用符で囲みます）。代わりに --template も使えます",
    }),
  },
  options: {
    cron: option("EXPRESSION", {
      en: 'minute, hour, day of month, month, day of week, such as "0 9 * * 1" (every Monday at 9:00)',
      ja: "分 時 日 月 曜日の順（例: 毎週月曜日 9:00 は 0 9 * * 1）",
    }),
    template: option("ID", {
      en: "a template of a task instead of a text; its file is read again at each planned time",
      ja: "依頼の文の代わりに使う、タスクのテンプレート。予定の時刻ごとに読み直します",
    }),
    set: repeatedOption("NAME=VALUE", {
      en: "a value of the template; may be given several times",
      ja: "テンプレートの値。何度でも指定できます",
    }),
    tz: option("ZONE", {
      en: "time zone, such as Asia/Tokyo (default: the daemon's)",
      ja: "タイムゾーン（例: Asia/Tokyo。省略時はデーモンのタイムゾーン）",
    }),
    name: option("NAME", {
      en: "name of the schedule (default: the beginning of the text, or the name of the template)",
      ja: "スケジュールの名前（省略時は依頼の冒頭、またはテンプレートの名前）",
    }),
    missed: choice("M", MISSED_POLICIES, {
      en: `times at which no daemon ran: ${MISSED_POLICIES.join(", ")} (default: run-once)`,
      ja: `デーモンが動いていなかった予定の扱い: ${MISSED_POLICIES.join("、")}（省略時は run-once）`,
    }),
    overlap: choice("O", OVERLAP_POLICIES, {
      en: `times while an earlier task is not over: ${OVERLAP_POLICIES.join(", ")} (default: skip)`,
      ja: `前のタスクが終わっていない予定の扱い: ${OVERLAP_POLICIES.join("、")}（省略時は skip）`,
    }),
    priority: choice("P", TASK_PRIORITIES, {
      en: `priority: ${TASK_PRIORITIES.join(", ")}`,
      ja: `優先度: ${TASK_PRIORITIES.join("、")}`,
    }),
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { text }, { set = [], ...options }) {
    const { withSession } = await import("../terminal/session.ts");
    const { addSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) =>
      addSchedule(session, { ...options, text, pairs: set, workingDirectory: process.cwd() }),
    );
  },
});
