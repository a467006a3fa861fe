import { CONFIG_OPTION, defineCommand, JSON_OPTION } from "../define-command.ts";

export const workerList = defineCommand({
  name: "worker list",
  summary: {
    en: "list the machines that run agents, with their slots and labels",
    ja: "エージェントを動かすマシンの一覧。スロットとラベルも表示します",
  },
  examples: ["kuromajutsu worker list", "kuromajutsu worker list --json"],
  arguments: {},
  options: { ...JSON_OPTION, ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listWorkers } = await import("../terminal/worker-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => listWorkers(session, json));
  },
});
