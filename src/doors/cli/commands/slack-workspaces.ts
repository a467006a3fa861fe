import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { listWorkspaces, SLACK_TEXTS } from "../slack-workspaces.ts";

export const slackWorkspaces = defineCommand({
  name: "slack workspaces",
  summary: {
    en: "list the Slack workspaces in which the app was installed with a link",
    ja: "リンクでアプリをインストールした Slack のワークスペースの一覧",
  },
  details: {
    en: "The workspace of SLACK_BOT_TOKEN is not in the list; `kuromajutsu slack doctor` shows it.",
    ja: "SLACK_BOT_TOKEN のワークスペースはこの一覧にありません。`kuromajutsu slack doctor` で確かめられます。",
  },
  examples: ["kuromajutsu slack workspaces", "kuromajutsu slack workspaces --json"],
  arguments: {},
  options: { json: flag({ en: "print JSON", ja: "JSON で出力します" }), ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const workspaces = await listWorkspaces(cli);
    if (json) {
      process.stdout.write(`${JSON.stringify(workspaces, null, 2)}\n`);
      return 0;
    }
    if (workspaces.length === 0) {
      writeWrapped(process.stderr, `${SLACK_TEXTS[await cli.locale()].noWorkspaces}\n`);
    }
    for (const { team, botUser, installedAt, installedBy } of workspaces) {
      process.stdout.write(`${team}  ${installedAt}  ${installedBy}  ${botUser}\n`);
    }
    return 0;
  },
});
