import { argument, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const scheduleShow = defineCommand({
  name: "schedule show",
  summary: {
    en: "show a schedule, its next five times and what happened before",
    ja: "スケジュール 1 件と、次の 5 回の予定、これまでの履歴を表示します",
  },
  examples: ["kuromajutsu schedule show sch-…"],
  arguments: {
    id: argument({
      en: "a schedule; `kuromajutsu schedule list` has the ids",
      ja: "スケジュールの ID。`kuromajutsu schedule list` で確認できます",
    }),
  },
  options: {
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { id }, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { showSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => showSchedule(session, id, json));
  },
});
