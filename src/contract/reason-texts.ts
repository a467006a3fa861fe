import type { Locale } from "../domain/locale.ts";
import { runnerFailureIn } from "./runner-failure-texts.ts";

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
  [
    /^The \S+ gave no usable answer in (\d+) attempts\. The last errors: The agent ended without an answer \(\w+\): (.*)$/s,
    "$1 回試しましたが、使える下書きができませんでした。エージェントが答えずに終了しました。$2",
  ],
  [/^Not checked yet\.$/, "まだ確認していません。"],
  [/^The model is invalid\.$/, "モデルが無効なため、スキップしました。"],
  [
    /^Its requester is gone\. The person who resumes it takes it over\.$/,
    "依頼者がもういません。再開した人が引き継ぎます。",
  ],
  [
    /^Its requester is no operator any more\. The person who resumes it takes it over\.$/,
    "依頼者がもう operator ではありません。再開した人が引き継ぎます。",
  ],
  [/^Nobody decided in time\.$/, "期限までに誰も決定しませんでした。"],
  [/^Rejected (\d+) times; (\S+) is (\d+)\.$/, "$1 回却下されました ($2 は $3 です)。"],
  [
    /^The agent that drafted it \((\S+)\) was stopped\.$/,
    "下書きをしていたエージェント ($1) が停止されました。",
  ],
  [/^The agent gave no answer\.$/, "エージェントの答えがありませんでした。"],
  [
    /^The agent ended without an answer \((\S+)\): (.*)$/s,
    "エージェントが答えずに終わりました ($1): $2",
  ],
  [
    /^The (\S+) gave no usable answer in (\d+) attempts\. The last errors: (.*)$/s,
    "$1 は $2 回試しても使える答えを返しませんでした。最後のエラー: $3",
  ],
  [
    /^The executor ended without report_completed: (.*)$/s,
    "実行役が report_completed を呼ばずに終わりました: $1",
  ],
  [/^A person rejected "(.*)"\.$/s, "「$1」が却下されました。"],
  [/^(\S+) rejected "(.*)": (.*)$/s, "$1 が「$2」を却下しました: $3"],
  [/^(\S+) rejected "(.*)"\.$/s, "$1 が「$2」を却下しました。"],
  [/^The CLI ended with (.+)\.$/, "CLI が $1 で終わりました。"],
  [/^The execution failed\.$/, "実行に失敗しました。"],
  [/^The agent could not be started: (.*)$/s, "エージェントを始められませんでした: $1"],
  [
    /^The process disappeared without an exit code\.$/,
    "プロセスが終了コードを残さずに消えました。",
  ],
  [
    /^The process ended without a result event\.$/,
    "プロセスが結果のイベントを残さずに終わりました。",
  ],
  [/^The process ended with exit code (\S+)\.$/, "プロセスが終了コード $1 で終わりました。"],
  [/^Stopped at its time limit\.$/, "制限時間に達したため停止しました。"],
  [
    /^Stopped: it did not report in time after its stop notification\.$/,
    "停止の通知のあと、期限までに報告しなかったため停止しました。",
  ],
  [
    /^Stopped: the process did not exit by itself after it had finished\.$/,
    "終わったあともプロセスが終了しなかったため停止しました。",
  ],
  [
    /^Stopped: it wrote more output than .*$/,
    "出力が agent.maxOutput_mb (または agent.maxSpool_bytes) を超えたため停止しました。",
  ],
  [
    /^Stopped: requests to its model failed more often .*$/,
    "モデルへの問い合わせが agent.maxRetries を超えて続けて失敗したため停止しました。",
  ],
  [
    /^Stopped: requests to its model kept failing .*$/,
    "モデルへの問い合わせが agent.maxRetryTime_ms を超えて失敗し続けたため停止しました。",
  ],
  [
    /^Stopped: it wrote more events than .*$/,
    "イベントの数が agent.maxEvents を超えたため停止しました。",
  ],
  [
    /^Stopped: it called more tools than .*$/,
    "ツールの呼び出しが agent.maxToolCalls を超えたため停止しました。",
  ],
  [
    /^The request to the model failed\. The CLI does not say why\.$/,
    "モデルへの問い合わせに失敗しました。CLI は理由を示していません。",
  ],
  [/^The health check failed\.$/, "ヘルスチェックに失敗しました。"],
  [/^Not verifiable: there is no CLI to ask\.$/, "使える CLI がないため、モデルは確認できません。"],
  [/^A rehearsal works with any model name\.$/, "リハーサルでは、どのモデル名でも動きます。"],
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
    /^(\d+) line(?:s|\(s\))? of output could not be .*$/,
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
  [/^It ended \(exit code (\d+)\)\.$/, "終了しました (終了コード $1)。"],
  [/^It ended \(exit code (\d+)\): (.*)$/s, "終了しました (終了コード $1): $2"],
  [/^The command (\S+) was not found\.$/, "コマンド $1 が見つかりません。"],
  [/^The connection was closed\.$/, "接続が閉じられました。"],
  [/^alerts\.webhooks has no (\S+) any more\.$/, "alerts.webhooks に $1 がもうありません。"],
  [
    /^The template of this schedule cannot be used now\. (.*)$/s,
    "このスケジュールのテンプレートは、今は使えません。$1",
  ],
  [/^There is no template "(.+)"\.$/, "テンプレート「$1」はありません。"],
  [/^The template "(.+)" has a problem: (.*)$/s, "テンプレート「$1」に問題があります: $2"],
  [/^The template (\S+) cannot be filled in\. (.*)$/s, "テンプレート $1 に値を入れられません。$2"],
  [/^(\S+) is missing\.$/, "$1 がありません。"],
  [/^There is no value "(\S+)"\.$/, "値「$1」はありません。"],
  [
    /^The template (\S+) starts no task: its kind is (\S+)\.$/,
    "テンプレート $1 はタスクのものではありません（kind: $2）。",
  ],
  [
    /^The template (\S+) is part of a folder that is not trusted \((.*)\)\.$/,
    "テンプレート $1 は、信頼されていないフォルダーのものです（$2）。",
  ],
  [
    /^The template (\S+) needs the MCP server (.+), which is not in mcpServers of the configuration\.$/,
    "テンプレート $1 には MCP サーバー $2 が必要ですが、設定の mcpServers にありません。",
  ],
  [/^The working directory (.+) does not exist\.$/s, "作業ディレクトリ $1 がありません。"],
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
  const failure = runnerFailureIn(reason, locale);
  if (failure !== undefined) return failure;
  for (const [pattern, text] of JA) {
    const found = pattern.exec(reason);
    // A sentence may quote another one of the daemon as its cause.
    if (found) return text.replaceAll(/\$(\d)/g, (_, part) => reasonIn(found[part] ?? "", locale));
  }
  return reason;
}
