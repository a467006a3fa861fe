import { stringify } from "yaml";
import type { Locale } from "../../../domain/locale.ts";
import { type ManifestOptions, slackManifest } from "./manifest.ts";

export type PrintManifest = ManifestOptions & { readonly format: "json" | "yaml" };

/** Only the manifest goes to stdout, so that it can be piped; the next steps go to stderr. */
export function printManifest(options: PrintManifest): number {
  const manifest = slackManifest(options);
  process.stdout.write(
    options.format === "yaml" ? stringify(manifest) : `${JSON.stringify(manifest, null, 2)}\n`,
  );
  process.stderr.write(nextSteps(options));
  return 0;
}

const NEW_APP = "https://api.slack.com/apps?new_app=1";

type Steps = Readonly<Record<"socket" | "http", readonly string[]>>;

const STEPS: Readonly<Record<Locale, Steps>> = {
  ja: {
    socket: [
      `${NEW_APP} を開き、「From a manifest」とワークスペースを選び、上のマニフェストを貼り付けます。`,
      "「Basic Information」の「App-Level Tokens」で、スコープ connections:write のトークンを作ります。xapp- で始まる値を環境変数 SLACK_APP_TOKEN に入れます。",
      "「Install App」でインストールし、xoxb- で始まる「Bot User OAuth Token」を SLACK_BOT_TOKEN に入れます。",
      "設定ファイルの slack.people に、Slack から使う人を書きます。",
      "`kuromajutsu slack doctor` で確かめ、`kuromajutsu serve` で始めます。",
    ],
    http: [
      `${NEW_APP} を開き、「From a manifest」とワークスペースを選び、上のマニフェストを貼り付けます。`,
      "「Basic Information」の「Signing Secret」を環境変数 SLACK_SIGNING_SECRET に入れます。",
      "「Install App」でインストールし、xoxb- で始まる「Bot User OAuth Token」を SLACK_BOT_TOKEN に入れます。",
      "設定ファイルに slack.mode: http、slack.publicUrl（この公開アドレス）、slack.people（Slack から使う人）を書きます。",
      "`kuromajutsu serve` で始め、Slack の「App Manifest」の画面で URL の確認（Verify）を押します。",
      "`kuromajutsu slack doctor` で確かめます。",
    ],
  },
  en: {
    socket: [
      `Open ${NEW_APP}, choose "From a manifest" and your workspace, and paste the manifest above.`,
      'Create a token with the scope connections:write in "Basic Information", "App-Level Tokens". It begins with xapp-: put it into the environment variable SLACK_APP_TOKEN.',
      'Install the app in "Install App". The "Bot User OAuth Token" begins with xoxb-: put it into SLACK_BOT_TOKEN.',
      "Add the people who may use it from Slack to slack.people in the configuration file.",
      "Check everything with `kuromajutsu slack doctor`, and start with `kuromajutsu serve`.",
    ],
    http: [
      `Open ${NEW_APP}, choose "From a manifest" and your workspace, and paste the manifest above.`,
      'Put the "Signing Secret" of "Basic Information" into the environment variable SLACK_SIGNING_SECRET.',
      'Install the app in "Install App". The "Bot User OAuth Token" begins with xoxb-: put it into SLACK_BOT_TOKEN.',
      "Write slack.mode: http, slack.publicUrl (this public address) and slack.people (the people who may use it from Slack) into the configuration file.",
      'Start with `kuromajutsu serve`, and verify the URL on Slack\'s page "App Manifest".',
      "Check everything with `kuromajutsu slack doctor`.",
    ],
  },
};

const HEADING: Readonly<Record<Locale, string>> = { ja: "次の手順:", en: "Next steps:" };

function nextSteps({ locale, publicUrl }: ManifestOptions): string {
  const steps = STEPS[locale][publicUrl === undefined ? "socket" : "http"];
  return `\n${HEADING[locale]}\n${steps.map((step, at) => `  ${at + 1}. ${step}\n`).join("")}`;
}
