import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const slackDoctor = defineCommand({
  name: "slack doctor",
  summary: {
    en: "check the Slack settings, tokens, scopes, people and channels, and show what to do",
    ja: "Slack の設定、トークン、スコープ、利用者、チャンネルを確かめ、直し方を表示します",
  },
  details: {
    en: "Uses the variables SLACK_* of this terminal; tokens are never shown. Nothing is posted in Slack.\n\nExit codes: 0 nothing to mend, 1 something to mend.",
    ja: "この端末の環境変数 SLACK_* を使います。トークンは表示しません。Slack には何も投稿しません。\n\n終了コード: 0 直すものがない、1 直すものがある。",
  },
  examples: ["kuromajutsu slack doctor", "kuromajutsu slack doctor --json"],
  arguments: {},
  options: { json: flag({ en: "print JSON", ja: "JSON で出力します" }), ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const { runSlackDoctor } = await import("../../slack/doctor/run-slack-doctor.ts");
    return runSlackDoctor(await cli.slack(), { json, locale: await cli.locale() });
  },
});
