import { CONFIG_OPTION, defineCommand, JSON_OPTION } from "../define-command.ts";

export const merges = defineCommand({
  name: "merges",
  summary: {
    en: "list the merges of changes, with the reason of those that did not land",
    ja: "変更の取り込みの一覧。取り込めなかった理由も表示します",
  },
  examples: ["kuromajutsu merges", "kuromajutsu merges --json"],
  arguments: {},
  options: { ...JSON_OPTION, ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listMerges } = await import("../terminal/merge-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => listMerges(session, json));
  },
});
