import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const scheduleRemove = defineCommand({
  name: "schedule remove",
  summary: {
    en: "remove a schedule and its history; its tasks stay",
    ja: "スケジュールと履歴を削除します。タスクは残ります",
  },
  examples: ["kuromajutsu schedule remove sch-…"],
  arguments: {
    id: argument({
      en: "a schedule; `kuromajutsu schedule list` has the ids",
      ja: "スケジュールの ID。`kuromajutsu schedule list` で確認できます",
    }),
  },
  options: {
    ...CONFIG_OPTION,
  },
  async run(cli, { id }) {
    const { withSession } = await import("../terminal/session.ts");
    const { removeSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => removeSchedule(session, id));
  },
});
