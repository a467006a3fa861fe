import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { removeWorkspace, SLACK_TEXTS } from "../slack-workspaces.ts";

export const slackRemove = defineCommand({
  name: "slack remove",
  summary: {
    en: "delete the token of a Slack workspace",
    ja: "Slack のワークスペースのトークンを削除します",
  },
  details: {
    en: "Nothing is posted there any more. To remove the app from Slack too, an administrator does so in the workspace.\n\nExit codes: 0 deleted, 1 the app was not installed there.",
    ja: "そのワークスペースには投稿しなくなります。Slack からもアプリを削除するには、ワークスペースの管理者が Slack の画面で行います。\n\n終了コード: 0 削除した、1 インストールされていない。",
  },
  examples: ["kuromajutsu slack remove T0123ABCD"],
  arguments: { team: argument({ en: "the id of the workspace", ja: "ワークスペースの ID" }) },
  options: { ...CONFIG_OPTION },
  async run(cli, { team }) {
    await refuseAgents(cli, "slack remove");
    const texts = SLACK_TEXTS[await cli.locale()];
    const isRemoved = await removeWorkspace(cli, team);
    writeWrapped(process.stderr, `${isRemoved ? texts.removed(team) : texts.notInstalled(team)}\n`);
    return isRemoved ? 0 : 1;
  },
});
