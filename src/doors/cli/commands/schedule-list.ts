import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const scheduleList = defineCommand({
  name: "schedule list",
  summary: {
    en: "list the schedules with their next time and last run",
    ja: "スケジュールの一覧。次の予定と前回の結果も表示します",
  },
  examples: ["kuromajutsu schedule list", "kuromajutsu schedule list --json"],
  arguments: {},
  options: {
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listSchedules } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => listSchedules(session, json));
  },
});
