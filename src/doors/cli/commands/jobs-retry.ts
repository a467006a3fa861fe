import { CONFIG_OPTION, defineCommand, JSON_OPTION, optionalArgument } from "../define-command.ts";

export const jobsRetry = defineCommand({
  name: "jobs retry",
  summary: {
    en: "put jobs that were given up back into the queue: one, or all of them",
    ja: "あきらめたジョブを再試行します（1 件、またはすべて）",
  },
  examples: ["kuromajutsu jobs retry", "kuromajutsu jobs retry 1f0c88e2"],
  arguments: {
    id: optionalArgument({
      en: "a job, or the beginning of its id; `kuromajutsu jobs` has the ids (default: all of them)",
      ja: "ジョブの ID、またはその先頭。`kuromajutsu jobs` で確認できます（省略時はすべて）",
    }),
  },
  options: { ...JSON_OPTION, ...CONFIG_OPTION },
  async run(cli, { id }, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { retryDeadJobs } = await import("../terminal/job-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) =>
      retryDeadJobs(session, { id, json }),
    );
  },
});
