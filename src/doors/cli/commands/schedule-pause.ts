import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const schedulePause = defineCommand({
  name: "schedule pause",
  summary: {
    en: "pause a schedule; it requests no task until it is resumed",
    ja: "スケジュールを一時停止します。再開するまでタスクを依頼しません",
  },
  examples: ["kuromajutsu schedule pause sch-…"],
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
    const { pauseSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => pauseSchedule(session, id));
  },
});
