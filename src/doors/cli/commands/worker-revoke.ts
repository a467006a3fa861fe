import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const workerRevoke = defineCommand({
  name: "worker revoke",
  summary: {
    en: "take the token of a worker away; agents that run there are ended and lost",
    ja: "ワーカーのトークンを取り消します。そこで動くエージェントは終了し、失われます",
  },
  examples: ["kuromajutsu worker revoke build-1"],
  arguments: {
    name: argument({
      en: "a worker; `kuromajutsu worker list` has the names",
      ja: "ワーカーの名前。`kuromajutsu worker list` で確認できます",
    }),
  },
  options: CONFIG_OPTION,
  async run(cli, { name }) {
    const { withSession } = await import("../terminal/session.ts");
    const { revokeWorker } = await import("../terminal/worker-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => revokeWorker(session, name));
  },
});
