import { CONFIG_OPTION, defineCommand, JSON_OPTION } from "../define-command.ts";

export const jobs = defineCommand({
  name: "jobs",
  summary: {
    en: "list the jobs that failed too often and were given up (PostgreSQL only)",
    ja: "失敗が続いてあきらめたジョブの一覧（PostgreSQL のときだけ）",
  },
  examples: ["kuromajutsu jobs", "kuromajutsu jobs --json"],
  arguments: {},
  options: { ...JSON_OPTION, ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listDeadJobs } = await import("../terminal/job-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => listDeadJobs(session, json));
  },
});
