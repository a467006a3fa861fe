import type { Locale } from "../../domain/locale.ts";

/** Rules in which numbers or words vary. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^a whole number from (\d+) to (\d+)$/, "$1 から $2 までの整数"],
  [/^one of ([^;(]+)$/, "$1 のいずれか"],
  [
    /^one of ([^;(]+) \(`auto` tries all of them, so it stands alone\)$/,
    "$1 のいずれか（`auto` はすべてを試すので、単独で書きます）",
  ],
  [
    /^one of ([^;(]+) \(a rehearsal does no work, so it cannot replace a CLI\)$/,
    "$1 のいずれか（リハーサルは作業をしないので、CLI の代わりになりません）",
  ],
  [
    /^a text of at most (\d+) characters, or a map with one in ja and one in en$/,
    "$1 文字以内の文字列、または ja と en に 1 つずつ書いたマップ",
  ],
  [/^a text of at most (\d+) characters$/, "$1 文字以内の文字列"],
  [
    /^a command line for `sh -c` of at most (\d+) characters$/,
    "$1 文字以内の、`sh -c` で実行するコマンド行",
  ],
  [/^a name of at most (\d+) characters$/, "$1 文字以内の名前"],
  [/^at most (\d+) labels$/, "$1 個以内のラベル"],
  [/^at most (\d+) choices$/, "$1 個以内の選択肢"],
  [/^at most (\d+) values$/, "$1 個以内の値"],
  [/^at most (\d+) servers$/, "$1 個以内のサーバー"],
  [/^at most (\d+) agents$/, "$1 体以内のエージェント"],
  [/^at most (\d+) stages$/, "$1 個以内のステージ"],
  [/^at most (\d+) steps$/, "$1 個以内のステップ"],
  [/^a list of targets: (.+)$/, "送り先のリスト"],
  [/^a map with the keys (.+) and (\S+)$/, "キー $1, $2 のマップ"],
  [/^a map with the key (\S+)$/, "キー $1 のマップ"],
  [/^the id of a person, other than (.+)$/, "$1 以外の、人の ID"],
  [/^an id other than (.+) \(prefixes of other ids\)$/, "$1（ほかの ID の接頭辞）以外の ID"],
];

/** What a setting must be, as the schema says it after "expected". A test looks for missing ones. */
const JA: Readonly<Record<string, string>> = {
  "1 or 0": "1 か 0",
  "a path": "パス",
  "the address of a PostgreSQL database in quotes":
    "引用符で囲んだ PostgreSQL のデータベースのアドレス",
  "a text": "文字列",
  "a text that is not empty": "空でない文字列",
  "true or false": "true か false",
  "a map of settings": "設定のマップ",
  "a map of workspace settings": "作業ツリーの設定のマップ",
  "a glob below the repository, such as `.env*`: not absolute and without `..`":
    "リポジトリの中を指すグロブ（例: `.env*`）。絶対パスと `..` は使えません",
  "a list of globs": "グロブのリスト",
  "a command line for `sh -c`": "`sh -c` で実行するコマンド行",
  "the name of a branch, without `refs/heads/`": "`refs/heads/` を付けないブランチ名",
  "a map of agent settings": "エージェントの設定のマップ",
  "a map of log settings": "ログの設定のマップ",
  "a map of health check settings": "ヘルスチェックの設定のマップ",
  "a map of task settings": "タスクの設定のマップ",
  "a map of Slack settings": "Slack の設定のマップ",
  "a map with the keys input and output (per million tokens)":
    "キー input, output（100 万トークンあたり）のマップ",
  "a map with the keys url (or urlEnv) and secretEnv":
    "キー url（または urlEnv）, secretEnv のマップ",
  "a map with either url or urlEnv, and secretEnv":
    "url か urlEnv のどちらか一方と secretEnv があるマップ",
  "a map with command (stdio) or url (HTTP)": "command（stdio）か url（HTTP）があるマップ",
  "a map with either command (stdio) or url (HTTP)":
    "command（stdio）か url（HTTP）のどちらか一方があるマップ",
  "a map from model name to its prices": "モデル名から価格へのマップ",
  "a map from kind of approval to who decides": "承認の種類から、判断する人へのマップ",
  "a map from name to webhook": "名前から Webhook へのマップ",
  "a map from variable to text": "変数から文字列へのマップ",
  "a map from header to text": "ヘッダーから文字列へのマップ",
  "a map from tool name to its settings": "ツール名からその設定へのマップ",
  "a map from server name to how it is reached": "サーバー名から接続方法へのマップ",
  "a map from runner to model name": "ランナーからモデル名へのマップ",
  "a map that describes one rule": "規則 1 つを書いたマップ",
  "a map that describes one person": "人 1 人を書いたマップ",
  "a map that describes one role": "職種 1 つを書いたマップ",
  "a map that describes one role tool": "職種ツール 1 つを書いたマップ",
  'a map such as {from: "22:00", to: "07:00"}, or a list of them':
    '{from: "22:00", to: "07:00"} のようなマップ、またはそのリスト',
  "{user, person} or {usergroup, role}, each with an optional team":
    "{user, person} か {usergroup, role}（どちらも team を加えられる）",
  "a list of labels": "ラベルのリスト",
  "a map from label (lower-case, such as gpu) to a whole number":
    "ラベル（gpu のような小文字）から整数へのマップ",
  "a label such as gpu or repo:app: lower-case letters, digits and . _ : / -, at most 63 characters":
    "gpu や repo:app のようなラベル（英小文字、数字と . _ : / -、63 文字以内）",
  "a list of host names": "ホスト名のリスト",
  "a list of origins": "オリジンのリスト",
  "a list of runners": "ランナーのリスト",
  "a list of environment variable names": "環境変数の名前のリスト",
  "a list of people": "人のリスト",
  "a list of people, not empty": "1 人以上のリスト",
  "a list of texts": "文字列のリスト",
  "a list of kinds, such as [task.waiting]": "[task.waiting] のような、種類のリスト",
  "a list of kinds, not empty": "種類を 1 つ以上書いたリスト",
  "a list of targets, not empty": "送り先を 1 つ以上書いたリスト",
  "a list of days, such as [sat, sun]": "[sat, sun] のような、曜日のリスト",
  "a list of days, not empty": "曜日を 1 つ以上書いたリスト",
  "a list of rules": "規則のリスト",
  "a list of IP addresses": "IP アドレスのリスト",
  "a list of IP addresses and ranges": "IP アドレスや範囲のリスト",
  "a list of arguments": "引数のリスト",
  "a list of channels": "チャンネルのリスト",
  "a list of roles": "職種のリスト",
  "a list of role tools": "職種ツールのリスト",
  "a list of role tool ids": "職種ツールの ID のリスト",
  "a list of upstream servers or tools": "上流のサーバーかツールのリスト",
  "a list: a program and its arguments": "プログラムと引数のリスト",
  "a list: the command and its arguments": "コマンドと引数のリスト",
  "at least one runner": "1 つ以上のランナー",
  "each runner once in a fallback list": "重複のないランナー（フォールバックのリスト）",
  "a runner, auto, or a list of runners": "ランナー、auto、またはランナーのリスト",
  "a program or an argument": "プログラムか引数",
  "the name of an environment variable, not one of our own (KUROMAJUTSU_…)":
    "KUROMAJUTSU_ で始まらない環境変数の名前",
  "the name of an environment variable, not its value": "環境変数の名前（値ではなく）",
  "an IP address": "IP アドレス",
  "an IP address or a range such as 10.0.0.0/8": "IP アドレス、または 10.0.0.0/8 のような範囲",
  "an IP address such as 127.0.0.1 or 0.0.0.0": "127.0.0.1 や 0.0.0.0 のような IP アドレス",
  "a host name or an address, without a port": "ポートのないホスト名かアドレス",
  "an origin as a browser shows it, such as https://kuro.example.com":
    "ブラウザーが示すとおりのオリジン（例: https://kuro.example.com）",
  "an http or https address": "http か https のアドレス",
  "an https address without a path, such as https://kuro.example.com":
    "パスのない https のアドレス（例: https://kuro.example.com）",
  "the address of an OTLP/HTTP receiver, such as http://127.0.0.1:4318":
    "OTLP/HTTP の受信側のアドレス（例: http://127.0.0.1:4318）",
  "a currency of three capital letters, such as USD or JPY":
    "USD や JPY のような、大文字 3 文字の通貨",
  "a number, 0 or more (per million tokens)": "0 以上の数（100 万トークンあたり）",
  "the id of a person: letters, digits and . _ @ -, at most 80 characters":
    "人の ID（英数字と . _ @ -、80 文字以内）",
  "anyone, requester, not-requester, {approvers: [ids]} or {quorum: n, approvers: [ids]} with n from 2":
    "anyone、requester、not-requester、{approvers: [ID]}、{quorum: n, approvers: [ID]}（n は 2 以上）のいずれか",
  "browser, webhook:<name of alerts.webhooks>, slack:requester or slack:<channel>, such as slack:#ops":
    "browser、webhook:<alerts.webhooks の名前>、slack:requester、slack:<チャンネル>（例: slack:#ops）のいずれか",
  "requester, all, or a list of people": "requester、all、または人のリスト",
  'a time of day in quotes, from "00:00" to "23:59"':
    '引用符で囲んだ "00:00" から "23:59" までの時刻',
  'a time of day in quotes, from "00:00" to "24:00"':
    '引用符で囲んだ "00:00" から "24:00" までの時刻',
  "the name of a time zone, such as Asia/Tokyo": "Asia/Tokyo のような、タイムゾーンの名前",
  "an id of lower-case letters, digits and hyphens, at most 40 characters, beginning with a letter or a digit":
    "英小文字か数字で始まる ID（英小文字、数字、ハイフン、40 文字以内）",
  "a server name of letters, digits, - and _, at most 40 characters":
    "サーバー名（英数字と - _、40 文字以内）",
  "the id of a Slack user, such as U0123ABCD": "U0123ABCD のような、Slack のユーザーの ID",
  "the id of a workspace, such as T0123ABCD": "T0123ABCD のような、ワークスペースの ID",
  "the id of a Slack user group, such as S0123ABCD":
    "S0123ABCD のような、Slack のユーザーグループの ID",
  "the id of a channel, such as C0123ABCD": "C0123ABCD のような、チャンネルの ID",
  "the hash `kuromajutsu user add` wrote": "`kuromajutsu user add` が書いたハッシュ",
  "a model name": "モデル名",
  'a model name on one line that does not begin with "-"': "「-」で始まらない 1 行のモデル名",
  "a model name, or a map from runner to model name":
    "モデル名、またはランナーからモデル名へのマップ",
  "the id of a role tool": "職種ツールの ID",
  "a server of mcpServers, `server/tool`, or `*`":
    "mcpServers のサーバー、`server/tool`、`*` のいずれか",
  "a name of letters, digits, hyphens and underscores, at most 40 characters, beginning with a letter":
    "英字で始まる名前（英数字、ハイフン、下線、40 文字以内）",
  "a map with name, label, default and choices": "name, label, default, choices のマップ",
  "a list of values": "値のリスト",
  "a list of names of mcpServers": "mcpServers の名前のリスト",
  "a map with servers and help": "servers と help のマップ",
  "a map with role and prompt": "role と prompt のマップ",
  "a list of agents: role and prompt": "エージェント（role と prompt）のリスト",
  "at least one agent: role and prompt": "1 体以上のエージェント（role と prompt）",
  "a map with name and agents": "name と agents のマップ",
  "a list of stages": "ステージのリスト",
  "at least one stage": "1 つ以上のステージ",
  "a map with prompt and steps": "prompt と steps のマップ",
};

/** undefined: there is no such rule. */
export function expectedIn(rule: string, locale: Locale): string | undefined {
  if (locale === "en") return rule;
  const known = JA[rule];
  if (known !== undefined) return known;
  const found = PATTERNS.find(([pattern]) => pattern.test(rule));
  return found && rule.replace(found[0], found[1]);
}
