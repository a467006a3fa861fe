import type { Locale } from "../../../domain/locale.ts";
import type { CheckName } from "./finding.ts";

export type DoctorTexts = {
  readonly names: Readonly<Record<CheckName, string>>;
  readonly off: string;
  readonly modes: Readonly<Record<"socket" | "http", string>>;
  readonly slackSaid: (code: string) => string;
  readonly noAnswer: (code: string) => string;
  /** What to do about an error of Slack, by its code. */
  readonly remedies: Readonly<Record<string, string>>;
  readonly unreachable: (url: string) => string;
  readonly bot: (team: string, id: string, bot: string) => string;
  readonly scopesOk: (team: string, count: number) => string;
  readonly scopesMissing: (team: string, scopes: string) => string;
  readonly addScopes: string;
  readonly addOptionalScopes: string;
  readonly socketOk: string;
  readonly otherApp: (botApp: string, appApp: string) => string;
  readonly useOneApp: string;
  readonly appTokenScope: string;
  readonly httpOk: (url: string) => string;
  readonly httpFailed: (url: string, what: string) => string;
  readonly httpNoAddress: string;
  readonly setPublicUrl: string;
  readonly httpRemedies: Readonly<Record<"unreachable" | "status_401" | "other", string>>;
  readonly noPublicUrl: string;
  readonly noWorkspace: string;
  readonly makeLink: string;
  readonly unreadable: (team: string) => string;
  readonly restoreKey: string;
  readonly onlyDaemon: (team: string) => string;
  readonly noPeople: string;
  readonly addPeople: string;
  readonly user: (id: string, name: string, person: string) => string;
  readonly group: (id: string, members: number, role: string) => string;
  readonly userProblems: Readonly<Record<string, (id: string) => string>>;
  readonly userRemedies: Readonly<Record<string, string>>;
  readonly ambiguous: (id: string) => string;
  readonly nameTeam: string;
  readonly otherTeam: (id: string, team: string) => string;
  readonly mendTeam: string;
  readonly board: (id: string, name: string) => string;
  readonly boardArchived: (id: string, name: string) => string;
  readonly unarchive: string;
  readonly boardNotMember: (id: string, name: string) => string;
  readonly invite: (bot: string, channel: string) => string;
  readonly boardNotFound: (id: string) => string;
  readonly skipped: string;
  readonly allWell: string;
  readonly summary: (failed: number, warnings: number) => string;
};

const ja: DoctorTexts = {
  names: {
    settings: "設定",
    token: "トークン",
    scopes: "スコープ",
    socket: "Socket Mode",
    http: "HTTP",
    workspaces: "ワークスペース",
    people: "利用者",
    boards: "掲示先",
  },
  off: "Slack は使われていません",
  modes: { socket: "Socket Mode で使います", http: "HTTP モードで使います" },
  slackSaid: (code) => `Slack の回答: ${code}`,
  noAnswer: (code) => `Slack から応答がありません（${code}）`,
  remedies: {
    invalid_auth:
      "トークンが正しくありません。Slack の画面からもう一度コピーし、値の全体が入っているか確かめてください。",
    not_authed: "トークンがありません。Slack の画面からもう一度コピーしてください。",
    token_revoked:
      "トークンが取り消されています。「Install App」でもう一度インストールし、新しいトークンを SLACK_BOT_TOKEN に入れてください。",
    token_expired:
      "トークンの期限が切れています。「OAuth & Permissions」でトークンのローテーションをオフにし、もう一度インストールしてください。",
    account_inactive:
      "アプリがワークスペースから削除されています。「Install App」でもう一度インストールし、新しいトークンを SLACK_BOT_TOKEN に入れてください。",
    not_allowed_token_type:
      "この用途に使えない種類のトークンです。SLACK_BOT_TOKEN は xoxb-、SLACK_APP_TOKEN は xapp- で始まる値です。",
    missing_scope:
      "スコープが足りません。`kuromajutsu slack manifest` の内容を「App Manifest」に貼り付け、もう一度インストールしてください。",
    ratelimited: "呼び出しが多すぎます。1 分ほど待って、もう一度実行してください。",
    team_access_not_granted:
      "このワークスペースへのアクセスが許可されていません。管理者に確認してください。",
  },
  unreachable: (url) =>
    `${url} に接続できません。ネットワーク、プロキシ、https://status.slack.com を確かめてください。`,
  bot: (team, id, bot) => `${team}（${id}）、ボットは @${bot}`,
  scopesOk: (team, count) => `${team}: 必要な ${count} 個がそろっています`,
  scopesMissing: (team, scopes) => `${team}: 足りないもの: ${scopes}`,
  addScopes:
    "`kuromajutsu slack manifest` の内容を「App Manifest」に貼り付けて保存し、もう一度インストールしてください。",
  addOptionalScopes:
    "なくても動きますが、Slack の応答が失われたカードを探し直せません。追加するには `kuromajutsu slack manifest` の内容を貼り付けて、もう一度インストールしてください。",
  socketOk: "接続できます",
  otherApp: (botApp, appApp) =>
    `SLACK_BOT_TOKEN はアプリ ${botApp}、SLACK_APP_TOKEN はアプリ ${appApp} のものです`,
  useOneApp: "同じアプリの画面から両方のトークンをコピーしてください。",
  appTokenScope:
    "「Basic Information」の「App-Level Tokens」で、スコープ connections:write のトークンを作り直し、「Socket Mode」がオンか確かめてください。",
  httpOk: (url) => `${url} が署名を確かめて応答しました`,
  httpFailed: (url, what) => `${url}: ${what}`,
  httpNoAddress: "確かめるアドレスがありません",
  setPublicUrl:
    "slack.publicUrl に公開アドレスを書くか、`kuromajutsu serve` を実行してから確かめてください。",
  httpRemedies: {
    unreachable:
      "`kuromajutsu serve` が動いていて、プロキシが /slack/ を転送しているか確かめてください。",
    status_401:
      "署名が一致しません。デーモンの SLACK_SIGNING_SECRET がこの端末のものと同じか、時計が正しいか確かめてください。",
    other:
      "応答したのは Kuromajutsu の /slack/events ではないようです。プロキシの転送先と、デーモンの slack.mode を確かめてください。",
  },
  noPublicUrl: "slack.publicUrl がないため、ワークスペースにインストールできません",
  noWorkspace: "アプリはまだどのワークスペースにもインストールされていません",
  makeLink:
    "`kuromajutsu serve` を動かし、`kuromajutsu slack install-link` のリンクを開いてください。",
  unreadable: (team) => `${team}: 保存されたトークンを復号できません`,
  restoreKey:
    "元の鍵（KUROMAJUTSU_SLACK_KEY_FILE またはデータディレクトリの slack.key）に戻すか、`kuromajutsu slack install-link` でもう一度インストールしてください。",
  onlyDaemon: (team) =>
    `${team}: トークンを読めるのは動作中のデーモンだけです。確かめるには \`kuromajutsu stop\` のあとに実行してください`,
  noPeople: "slack.people が空です。`/kuro link` で連携した人だけが使えます",
  addPeople: "設定ファイルの slack.people に {user: U…, person: ID} を書いてください。",
  user: (id, name, person) => `${id} は ${name}、${person} として操作します`,
  group: (id, members, role) => `${id} の ${members} 人が ${role} として操作します`,
  userProblems: {
    deleted: (id) => `${id} は退職などで無効になっています`,
    guest: (id) => `${id} はゲストです`,
    bot: (id) => `${id} はボットです`,
    stranger: (id) => `${id} は別のワークスペースの人です`,
    user_not_found: (id) => `${id} という人はいません`,
    no_such_subteam: (id) => `${id} というユーザーグループはありません`,
    empty: (id) => `${id} には誰もいません`,
  },
  userRemedies: {
    deleted: "slack.people から消してください。",
    guest: "ゲストは拒否されます。通常のメンバーを書いてください。",
    bot: "ボットは拒否されます。人を書いてください。",
    stranger: "別のワークスペースの人は拒否されます。このワークスペースの人を書いてください。",
    user_not_found:
      "Slack のプロフィールの「⋮」から「メンバー ID をコピー」で ID を確かめてください。",
    no_such_subteam: "ユーザーグループの ID（S…）を確かめてください。",
    empty: "Slack でグループにメンバーを加えてください。",
  },
  ambiguous: (id) => `${id}: どのワークスペースの設定か決まりません`,
  nameTeam: "複数のワークスペースで使うときは、team: T… を加えてください。",
  otherTeam: (id, team) => `${id}: アプリはワークスペース ${team} に入っていません`,
  mendTeam: "team の ID を確かめるか、そのワークスペースにアプリをインストールしてください。",
  board: (id, name) => `${id} は #${name}`,
  boardArchived: (id, name) => `${id}（#${name}）はアーカイブされています`,
  unarchive: "チャンネルのアーカイブを解除するか、slack.boards に別のチャンネルを書いてください。",
  boardNotMember: (id, name) => `${id}（#${name}）にアプリが入っていません`,
  invite: (bot, channel) => `#${channel} で \`/invite @${bot}\` を実行してください。`,
  boardNotFound: (id) => `${id} というチャンネルが見えません`,
  skipped: "前の確認に失敗したため、確かめていません",
  allWell: "Slack を使えます。",
  summary: (failed, warnings) => `直すもの ${failed} 件、注意 ${warnings} 件。`,
};

const en: DoctorTexts = {
  names: {
    settings: "settings",
    token: "token",
    scopes: "scopes",
    socket: "Socket Mode",
    http: "HTTP",
    workspaces: "workspaces",
    people: "people",
    boards: "boards",
  },
  off: "Slack is off",
  modes: { socket: "Socket Mode", http: "HTTP mode" },
  slackSaid: (code) => `Slack said: ${code}`,
  noAnswer: (code) => `Slack does not answer (${code})`,
  remedies: {
    invalid_auth:
      "The token is wrong. Copy it again from Slack's page, and check that the whole value is there.",
    not_authed: "There is no token. Copy it again from Slack's page.",
    token_revoked:
      'The token was revoked. Install the app again in "Install App", and put the new token into SLACK_BOT_TOKEN.',
    token_expired:
      'The token has expired. Turn token rotation off in "OAuth & Permissions", and install the app again.',
    account_inactive:
      'The app was removed from the workspace. Install it again in "Install App", and put the new token into SLACK_BOT_TOKEN.',
    not_allowed_token_type:
      "This kind of token cannot be used here. SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-.",
    missing_scope:
      'A scope is missing. Paste `kuromajutsu slack manifest` into "App Manifest", and install the app again.',
    ratelimited: "There were too many calls. Wait a minute and run this again.",
    team_access_not_granted: "The app has no access to this workspace. Ask its administrator.",
  },
  unreachable: (url) =>
    `${url} cannot be reached. Check the network, the proxy and https://status.slack.com.`,
  bot: (team, id, bot) => `${team} (${id}), the bot is @${bot}`,
  scopesOk: (team, count) => `${team}: all ${count} that are needed`,
  scopesMissing: (team, scopes) => `${team}: missing: ${scopes}`,
  addScopes:
    'Paste `kuromajutsu slack manifest` into "App Manifest", save it, and install the app again.',
  addOptionalScopes:
    "It works without, but a card whose answer from Slack was lost cannot be found again. To add them, paste `kuromajutsu slack manifest` and install the app again.",
  socketOk: "can connect",
  otherApp: (botApp, appApp) =>
    `SLACK_BOT_TOKEN is of the app ${botApp}, SLACK_APP_TOKEN of the app ${appApp}`,
  useOneApp: "Copy both tokens from the pages of the same app.",
  appTokenScope:
    'Create the token again in "Basic Information", "App-Level Tokens", with the scope connections:write, and check that "Socket Mode" is on.',
  httpOk: (url) => `${url} checked the signature and answered`,
  httpFailed: (url, what) => `${url}: ${what}`,
  httpNoAddress: "there is no address to check",
  setPublicUrl:
    "Write the public address into slack.publicUrl, or run `kuromajutsu serve` first, and check again.",
  httpRemedies: {
    unreachable: "Check that `kuromajutsu serve` runs and that the proxy forwards /slack/ to it.",
    status_401:
      "The signature does not match. Check that the daemon has the same SLACK_SIGNING_SECRET as this terminal, and that the clock is right.",
    other:
      "The answer is not from Kuromajutsu's /slack/events. Check where the proxy forwards to, and slack.mode of the daemon.",
  },
  noPublicUrl: "slack.publicUrl is not set, so the app cannot be installed in a workspace",
  noWorkspace: "the app is not installed in any workspace yet",
  makeLink: "Run `kuromajutsu serve`, and open the link of `kuromajutsu slack install-link`.",
  unreadable: (team) => `${team}: the stored token cannot be decrypted`,
  restoreKey:
    "Put the old key back (KUROMAJUTSU_SLACK_KEY_FILE, or slack.key in the data directory), or install the app again with `kuromajutsu slack install-link`.",
  onlyDaemon: (team) =>
    `${team}: only the running daemon can read the token; to check it, run this after \`kuromajutsu stop\``,
  noPeople: "slack.people is empty: only people who have used `/kuro link` may do anything",
  addPeople: "Write {user: U…, person: id} into slack.people of the configuration file.",
  user: (id, name, person) => `${id} is ${name}, and acts as ${person}`,
  group: (id, members, role) => `${id}: its ${members} members act as ${role}`,
  userProblems: {
    deleted: (id) => `${id} is deactivated`,
    guest: (id) => `${id} is a guest`,
    bot: (id) => `${id} is a bot`,
    stranger: (id) => `${id} is of another workspace`,
    user_not_found: (id) => `there is no user ${id}`,
    no_such_subteam: (id) => `there is no user group ${id}`,
    empty: (id) => `${id} has no members`,
  },
  userRemedies: {
    deleted: "Remove the entry from slack.people.",
    guest: "Guests are refused. Name a full member.",
    bot: "Bots are refused. Name a person.",
    stranger: "People of other workspaces are refused. Name a person of this one.",
    user_not_found: 'Check the id: "Copy member ID" in the menu of the profile in Slack.',
    no_such_subteam: "Check the id of the user group (S…).",
    empty: "Add members to the group in Slack.",
  },
  ambiguous: (id) => `${id}: the workspace is not clear`,
  nameTeam: "With several workspaces, add team: T… to the entry.",
  otherTeam: (id, team) => `${id}: the app is not in the workspace ${team}`,
  mendTeam: "Check the id in team, or install the app in that workspace.",
  board: (id, name) => `${id} is #${name}`,
  boardArchived: (id, name) => `${id} (#${name}) is archived`,
  unarchive: "Unarchive the channel, or write another one into slack.boards.",
  boardNotMember: (id, name) => `the app is not in ${id} (#${name})`,
  invite: (bot, channel) => `Run \`/invite @${bot}\` in #${channel}.`,
  boardNotFound: (id) => `the app sees no channel ${id}`,
  skipped: "not checked, because an earlier check failed",
  allWell: "Slack works.",
  summary: (failed, warnings) => `${failed} to mend, ${warnings} to consider.`,
};

export const DOCTOR_TEXTS: Readonly<Record<Locale, DoctorTexts>> = { ja, en };
