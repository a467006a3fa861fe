import {
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  optionalArgument,
  optionalChoice,
} from "../define-command.ts";

export const groups = defineCommand({
  name: "groups",
  summary: {
    en: "list the groups of agents, show one or stop it",
    ja: "エージェントのグループの一覧。1 つの表示、停止もできます",
  },
  details: {
    en: "Exit codes: 0 done, 1 refused, 3 not confirmed.",
    ja: "終了コード: 0 実行した、1 できなかった、3 確認で取りやめた。",
  },
  examples: [
    "kuromajutsu groups",
    "kuromajutsu groups --all --json",
    "kuromajutsu groups grp-…",
    "kuromajutsu groups grp-… stop",
  ],
  arguments: {
    id: optionalArgument({
      en: "a group; without it the active groups are listed",
      ja: "グループの ID。省略すると有効なグループの一覧を表示します",
    }),
    action: optionalChoice(["stop"], {
      en: "stop: stops all its agents; without it the group is shown",
      ja: "stop（すべてのエージェントを停止）。省略すると内容を表示します",
    }),
  },
  options: {
    all: flag({
      en: "list also groups that have ended",
      ja: "終了したグループも表示します",
    }),
    yes: flag({ en: "do not ask before stopping", ja: "停止の前に確認しません" }, { short: "y" }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id, action }, { all, yes, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const commands = await import("../terminal/group-commands.ts");
    return withSession(cli, { approvesAll: yes }, (session) => {
      if (id === undefined) return commands.listGroups(session, all, json);
      return action === "stop"
        ? commands.stopGroup(session, id)
        : commands.showGroup(session, id, json);
    });
  },
});
