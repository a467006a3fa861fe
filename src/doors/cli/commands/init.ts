import { CLIENT_IDS } from "../../../contract/mcp-clients.ts";
import { RUNNER_CHOICES } from "../../../contract/values.ts";
import { choice, choiceList, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";

export const init = defineCommand({
  name: "init",
  summary: {
    en: "set up this project: write a configuration file and add Kuromajutsu to your MCP clients",
    ja: "このプロジェクトを準備します。設定ファイルを作り、MCP クライアントに Kuromajutsu を加えます",
  },
  details: {
    en: "Shows every change first. Existing settings and comments stay; existing configuration files of Kuromajutsu are not changed.\n\nExit codes: 0 done or nothing to do, 1 something was not written, 2 nothing was written because there is no terminal to ask on (use --yes).",
    ja: "変更はすべて先に表示します。既存の設定とコメントは残り、既存の kuromajutsu.config.yaml は変更しません。\n\n終了コード: 0 完了、または変更不要、1 書き込めなかったものがある、2 端末がなく尋ねられないため何も書いていない（--yes を付けてください）。",
  },
  examples: [
    "kuromajutsu init",
    "kuromajutsu init --dry-run",
    "kuromajutsu init --yes --client cursor claude --runner claude",
  ],
  arguments: {},
  options: {
    yes: flag({ en: "do not ask", ja: "確認しません" }, { short: "y" }),
    dryRun: flag({
      en: "show what would be written and write nothing",
      ja: "書き込む内容を表示するだけで、何も書きません",
    }),
    client: choiceList("NAME", CLIENT_IDS, {
      en: `the clients to set up (default: those that are found): ${CLIENT_IDS.join(", ")}`,
      ja: `準備するクライアント（省略時は見つかったもの）: ${CLIENT_IDS.join("、")}`,
    }),
    runner: choice("NAME", RUNNER_CHOICES, {
      en: "the CLI that runs the agents (default: auto)",
      ja: "エージェントを動かす CLI（省略時は auto）",
    }),
    global: flag({
      en: "write the files of your user, for all projects",
      ja: "全プロジェクト用に、ユーザーのファイルへ書きます",
    }),
    project: flag({
      en: "write only files of this project (default: where the client has one, else your user's)",
      ja: "このプロジェクトのファイルだけに書きます（省略時、プロジェクト用のファイルがないクライアントにはユーザーのファイルへ書きます）",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { yes, dryRun, client, runner, global, project }) {
    await refuseAgents(cli, "init");
    const { runInit } = await import("../init/run-init.ts");
    const scope = scopeOf(global, project);
    return runInit(await cli.setup(), { yes, dryRun, clients: client, runner, scope });
  },
});

function scopeOf(global: boolean, project: boolean): "global" | "project" | undefined {
  if (global && project) {
    throw new Error("--global and --project exclude each other. Name only one of them.");
  }
  if (global) return "global";
  return project ? "project" : undefined;
}
