import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const scheduleResume = defineCommand({
  name: "schedule resume",
  summary: {
    en: "resume a paused schedule from its next time on",
    ja: "一時停止中のスケジュールを、次の予定から再開します",
  },
  examples: ["kuromajutsu schedule resume sch-…"],
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
    const { resumeSchedule } = await import("../terminal/schedule-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => resumeSchedule(session, id));
  },
});
