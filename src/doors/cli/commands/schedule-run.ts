import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const scheduleRun = defineCommand({
  name: "schedule run",
  summary: {
    en: "request the task of a schedule now; its planned times stay",
    ja: "スケジュールのタスクを今すぐ依頼します。予定は変わりません",
  },
  examples: ["kuromajutsu schedule run sch-…"],
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
    const { runSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => runSchedule(session, id));
  },
});
