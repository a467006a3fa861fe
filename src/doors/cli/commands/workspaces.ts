import { CONFIG_OPTION, defineCommand, flag, JSON_OPTION, option } from "../define-command.ts";

export const workspaces = defineCommand({
  name: "workspaces",
  summary: {
    en: "list the worktrees of agents with their disk use, or clean one up",
    ja: "エージェントの作業ツリーと使用量の一覧。片付けることもできます",
  },
  details: {
    en: "Directories are cleaned up by themselves some time after the change was merged or discarded (workspace.keepDecided_hours).",
    ja: "変更が取り込まれるか破棄されると、しばらくしてディレクトリは自動で片付けられます（workspace.keepDecided_hours）。",
  },
  examples: [
    "kuromajutsu workspaces",
    "kuromajutsu workspaces --all --json",
    "kuromajutsu workspaces --retire wsp-…",
  ],
  arguments: {},
  options: {
    all: flag({
      en: "list also worktrees that were cleaned up",
      ja: "片付け済みの作業ツリーも表示します",
    }),
    retire: option("ID", {
      en: "delete the directory of this workspace, or of this agent's; its change stays as commits",
      ja: "この作業ツリー（かエージェントの作業ツリー）のディレクトリを削除します。変更はコミットとして残ります",
    }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { all, retire, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const commands = await import("../terminal/workspace-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) =>
      retire === undefined
        ? commands.listWorkspaces(session, { all, json })
        : commands.retireWorkspace(session, retire, json),
    );
  },
});
