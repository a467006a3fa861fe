import type { Locale } from "../domain/locale.ts";

/** What can be wrong with the variables `SLACK_*`, alone or together with the section `slack`. */
export const SLACK_PROBLEMS = [
  "no-bot-token",
  "no-app-token",
  "no-signing-secret",
  "no-way-in",
  "swapped",
  "app-token-as-bot-token",
  "user-token-as-bot-token",
  "rotating-bot-token",
  "not-a-bot-token",
  "bot-token-as-app-token",
  "not-an-app-token",
  "token-as-signing-secret",
  "client-incomplete",
  "wrong-api-url",
] as const;

export type SlackProblem = (typeof SLACK_PROBLEMS)[number];

type Texts = Readonly<Record<SlackProblem, string>>;

/** Each says what is wrong and what to do. None contains a value: it may be a token. */
export const SLACK_PROBLEM_TEXTS: Readonly<Record<Locale, Texts>> = {
  ja: {
    "no-bot-token":
      "SLACK_BOT_TOKEN がありません。Slack の画面「Install App」の「Bot User OAuth Token」（xoxb-…）を入れてください。複数のワークスペースで使う場合は、代わりに SLACK_CLIENT_ID と SLACK_CLIENT_SECRET を設定してください。",
    "no-app-token":
      "slack.mode は socket ですが、SLACK_APP_TOKEN がありません。「Basic Information」の「App-Level Tokens」で、スコープ connections:write のトークン（xapp-…）を作って入れてください。",
    "no-signing-secret":
      "slack.mode は http ですが、SLACK_SIGNING_SECRET がありません。「Basic Information」の「Signing Secret」を入れてください。",
    "no-way-in":
      "SLACK_APP_TOKEN も SLACK_SIGNING_SECRET もないため、Slack からの連絡を受け取れません。Socket Mode なら SLACK_APP_TOKEN（xapp-…）、HTTP モードなら SLACK_SIGNING_SECRET を設定してください。",
    swapped:
      "SLACK_BOT_TOKEN と SLACK_APP_TOKEN が入れ替わっています。xoxb- で始まる値を SLACK_BOT_TOKEN に、xapp- で始まる値を SLACK_APP_TOKEN に入れてください。",
    "app-token-as-bot-token":
      "SLACK_BOT_TOKEN にアプリレベルのトークン（xapp-…）が入っています。「Install App」の「Bot User OAuth Token」（xoxb-…）を入れてください。",
    "user-token-as-bot-token":
      "SLACK_BOT_TOKEN に人のトークン（xoxp-…）が入っています。「Install App」の「Bot User OAuth Token」（xoxb-…）を入れてください。",
    "rotating-bot-token":
      "SLACK_BOT_TOKEN が期限のあるトークン（xoxe…）です。「OAuth & Permissions」でトークンのローテーションをオフにし、もう一度インストールして、xoxb- で始まる値を入れてください。",
    "not-a-bot-token":
      "SLACK_BOT_TOKEN が xoxb- で始まっていません。「Install App」の「Bot User OAuth Token」を入れてください。",
    "bot-token-as-app-token":
      "SLACK_APP_TOKEN にボットのトークン（xoxb-…）が入っています。「Basic Information」の「App-Level Tokens」のトークン（xapp-…）を入れてください。",
    "not-an-app-token":
      "SLACK_APP_TOKEN が xapp- で始まっていません。「Basic Information」の「App-Level Tokens」のトークンを入れてください。",
    "token-as-signing-secret":
      "SLACK_SIGNING_SECRET にトークンが入っています。「Basic Information」の「Signing Secret」を入れてください。",
    "client-incomplete":
      "SLACK_CLIENT_ID と SLACK_CLIENT_SECRET の片方しかありません。「Basic Information」の「App Credentials」から両方を入れてください。",
    "wrong-api-url":
      "SLACK_API_URL は https:// で始まる URL にしてください（同じマシンのアドレスなら http:// も使えます）。通常は設定しません。",
  },
  en: {
    "no-bot-token":
      'SLACK_BOT_TOKEN is not set. Put the "Bot User OAuth Token" (xoxb-…) of Slack\'s page "Install App" into it. For several workspaces set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET instead.',
    "no-app-token":
      'slack.mode is socket, but SLACK_APP_TOKEN is not set. Create a token (xapp-…) with the scope connections:write in "Basic Information", "App-Level Tokens".',
    "no-signing-secret":
      'slack.mode is http, but SLACK_SIGNING_SECRET is not set. Put the "Signing Secret" of "Basic Information" into it.',
    "no-way-in":
      "Neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set, so nothing can come from Slack. Set SLACK_APP_TOKEN (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET for HTTP mode.",
    swapped:
      "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped. The value that begins with xoxb- is SLACK_BOT_TOKEN, the one that begins with xapp- is SLACK_APP_TOKEN.",
    "app-token-as-bot-token":
      'SLACK_BOT_TOKEN has an app-level token (xapp-…). Put the "Bot User OAuth Token" (xoxb-…) of "Install App" into it.',
    "user-token-as-bot-token":
      'SLACK_BOT_TOKEN has the token of a person (xoxp-…). Put the "Bot User OAuth Token" (xoxb-…) of "Install App" into it.',
    "rotating-bot-token":
      'SLACK_BOT_TOKEN has a token that expires (xoxe…). Turn token rotation off in "OAuth & Permissions", install the app again, and use the token that begins with xoxb-.',
    "not-a-bot-token":
      'SLACK_BOT_TOKEN does not begin with xoxb-. Put the "Bot User OAuth Token" of "Install App" into it.',
    "bot-token-as-app-token":
      'SLACK_APP_TOKEN has a bot token (xoxb-…). Put the token (xapp-…) of "Basic Information", "App-Level Tokens" into it.',
    "not-an-app-token":
      'SLACK_APP_TOKEN does not begin with xapp-. Put the token of "Basic Information", "App-Level Tokens" into it.',
    "token-as-signing-secret":
      'SLACK_SIGNING_SECRET has a token. Put the "Signing Secret" of "Basic Information" into it.',
    "client-incomplete":
      'Only one of SLACK_CLIENT_ID and SLACK_CLIENT_SECRET is set. Both are in "Basic Information", "App Credentials".',
    "wrong-api-url":
      "SLACK_API_URL must be a URL that begins with https:// (http:// only for an address of this machine). Usually it is not set.",
  },
};
