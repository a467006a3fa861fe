import type { Locale } from "../domain/locale.ts";

const JA: readonly (readonly [RegExp, string])[] = [
  [/^(\S+) has no model "(.+)"\.$/, "$1 に「$2」というモデルはありません。"],
  [
    /^Role \S+ needs the (\S+) CLI, which was not found on PATH\..*$/s,
    "$1 の CLI が見つかりません。インストールして PATH に追加してください。",
  ],
  [
    /^Role \S+ is set to run with (\S+), which this version cannot run yet\.$/,
    "このバージョンではまだ $1 を実行できません。ほかのランナーを選んでください。",
  ],
  [
    /^Role \S+ cannot be run: no agent CLI was found on PATH, .*$/,
    "エージェントの CLI が見つからず、CLI なしのリハーサルは設定で無効になっています。",
  ],
  [/^Not checked yet\.$/, "まだ確認していません。"],
  [/^The model is invalid\.$/, "モデルが無効なため、スキップしました。"],
  [/^The health check failed\.$/, "ヘルスチェックに失敗しました。"],
  [/^Not verifiable: there is no CLI to ask\.$/, "使える CLI がないため、モデルは確認できません。"],
  [
    /^Not verifiable: rehearsal did not name its models\.$/,
    "リハーサルでは、どのモデル名でも動きます。",
  ],
  [
    /^Not verifiable: (\S+) did not name its models\.$/,
    "$1 がモデルの一覧を示さないため、名前は確認できません。",
  ],
  [/^(\S+) is signed out: ran with (\S+)\.$/, "$1 がサインインしていないため、$2 で実行しました。"],
  [
    /^(\S+) is out of quota: ran with (\S+)\.$/,
    "$1 の利用枠が上限に達しているため、$2 で実行しました。",
  ],
  [
    /^(\S+) is not installed: ran with (\S+)\.$/,
    "$1 がインストールされていないため、$2 で実行しました。",
  ],
  [/^(.+): ran with (\S+)\.$/, "$2 で実行しました ($1)。"],
  [
    /^Role \S+ needs one of the CLIs (.+); none of them was found on PATH\..*$/s,
    "$1 のいずれの CLI も見つかりません。インストールして PATH に追加してください。",
  ],
  [/^Rehearsal: no model was asked\.$/, "リハーサル: モデルは使っていません。"],
  [
    /^The role is read-only, but (\d+) file.*$/,
    "読み取り専用の職種ですが、$1 個のファイルが書かれました。",
  ],
  [
    /^It never connected to Kuromajutsu, .*$/,
    "Kuromajutsu に接続しなかったため、結果を報告できませんでした。",
  ],
  [
    /^The conversation (\S+) could not be continued, .*$/,
    "会話 $1 を再開できなかったため、新しい会話で始めました。",
  ],
  [
    /^(\d+) line\(s\) of output could not be .*$/,
    "出力のうち $1 行は、イベントとして読めませんでした。",
  ],
  [/^rehearsal: no model is .*$/, "リハーサル: モデルは使いません。"],
  [/^It could not be asked: (.*)$/s, "問い合わせできませんでした: $1"],
  [/^No answer within ([\d.]+) s\.\s*(.*)$/s, "$1 秒以内に応答がありませんでした。$2"],
  [
    /^It answered, but it did not connect to Kuromajutsu, .*$/,
    "応答しましたが、Kuromajutsu に接続しなかったため、結果を報告できません。",
  ],
  [
    /^It answered, but its own settings have no entry for Kuromajutsu\. Run (`.+?`) to add it\.(.*)$/s,
    "応答しましたが、この CLI の設定に Kuromajutsu がありません。$1 で追加できます。$2",
  ],
  [
    /^It connected, but its model called no tool\.(.*)$/s,
    "接続しましたが、モデルがツールを呼び出しませんでした。$1",
  ],
  [
    /^Set the variable (\S+) for the daemon \((\S+)\)\.$/,
    "デーモンの環境変数 $1 を設定してください ($2)。",
  ],
  [
    /^The secret in (\S+) is too short: .*$/,
    "環境変数 $1 の秘密鍵が短すぎます。16 バイト以上にしてください。",
  ],
  [
    /^Set the variable (\S+) to an http or https address \((\S+)\)\.$/,
    "環境変数 $1 に http か https のアドレスを設定してください ($2)。",
  ],
  [
    /^There is no way to send to (\S+): (\S+) is not set up\.$/,
    "$1 には送れません。$2 が設定されていません。",
  ],
  [/^It answered HTTP (\d+)\.$/, "HTTP $1 が返されました。"],
  [
    /^It answered with a redirect \(HTTP (\d+)\), .* in (\S+)\.$/,
    "リダイレクト (HTTP $1) が返されました。リダイレクトには従いません。$2 に最終的なアドレスを書いてください。",
  ],
  [
    /^It answered 410 Gone: .* Remove (\S+) from the rules\.$/,
    "受信側が終了しています (HTTP 410)。規則から $1 を外してください。",
  ],
  [/^(\S+) did not answer within ([\d.]+) s\.$/, "$1 から $2 秒以内に応答がありませんでした。"],
  [/^(\S+) could not be reached \((.+)\)\.$/, "$1 に接続できませんでした ($2)。"],
  [
    /^(\S+) is a link-local or metadata address\. .* add it to (\S+)\.$/,
    "$1 はリンクローカルまたはメタデータのアドレスなので、送信しませんでした。意図したものなら $2 に加えてください。",
  ],
  [
    /^Nothing answers at (\S+) \((\S+)\)\. .*$/,
    "$1 から応答がありません ($2)。サーバーを起動するか、mcpServers の url を直してください。",
  ],
  [
    /^The host (\S+) was not found \((\S+)\)\. .*$/,
    "ホスト $1 が見つかりません ($2)。mcpServers の url を直してください。",
  ],
  [/^It did not answer in time\.$/, "時間内に応答がありませんでした。"],
  [/^It ended \(exit code (\d+)\): (.*)$/s, "終了しました (終了コード $1): $2"],
  [/^The command (\S+) was not found\.$/, "コマンド $1 が見つかりません。"],
  [/^The connection was closed\.$/, "接続が閉じられました。"],
  [/^alerts\.webhooks has no (\S+) any more\.$/, "alerts.webhooks に $1 がもうありません。"],
  [
    /^The daemon was killed during the last try\.$/,
    "最後に送信している間に、デーモンが強制終了されました。",
  ],
];

/**
 * Translates an English sentence of the daemon, which may be stored. Messages of a CLI and unknown
 * sentences stay as they are.
 */
export function reasonIn(reason: string, locale: Locale): string {
  if (locale === "en") return reason;
  const known = JA.find(([is]) => is.test(reason));
  return known ? reason.replace(known[0], known[1]) : reason;
}
