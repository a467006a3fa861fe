import { CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { daemonApi, SLACK_TEXTS } from "../slack-workspaces.ts";

export const slackInstallLink = defineCommand({
  name: "slack install-link",
  summary: {
    en: "print a link with which one person may install the app in one Slack workspace",
    ja: "Slack のワークスペース 1 つにアプリをインストールできるリンクを表示します",
  },
  details: {
    en: "For apps in several workspaces: needs SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, slack.publicUrl and a running daemon. The link is valid for one hour.",
    ja: "複数のワークスペースで使うときのコマンドです。SLACK_CLIENT_ID、SLACK_CLIENT_SECRET、slack.publicUrl と、動作中のデーモンが必要です。リンクは 1 時間有効です。",
  },
  examples: ["kuromajutsu slack install-link"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    await refuseAgents(cli, "slack install-link");
    const texts = SLACK_TEXTS[await cli.locale()];
    const api = await daemonApi(cli);
    if (!api) throw new Error(texts.noDaemon(cli.daemon().dataDir));
    const { createSlackInstallLink } = await import("../../../contract/routes/slack.ts");
    const { url } = await api.call(createSlackInstallLink);
    writeWrapped(process.stderr, `${texts.link}\n`);
    process.stdout.write(`${url}\n`);
    return 0;
  },
});
