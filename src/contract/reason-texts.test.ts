import { expect, test } from "vitest";
import { reasonIn } from "./reason-texts.ts";

test.each([
  ["Nobody decided in time.", "期限までに誰も決定しませんでした。"],
  [
    "The executor ended without report_completed: The process ended with exit code 3.",
    "実行役が report_completed を呼ばずに終わりました: プロセスが終了コード 3 で終わりました。",
  ],
  ['hanako rejected "Write $1": too early', "hanako が「Write $1」を却下しました: too early"],
  ["Words of a CLI", "Words of a CLI"],
  ...["1 line", "1 lines", "1 line(s)"].map((lines): [string, string] => [
    `${lines} of output could not be read as events.`,
    "出力のうち 1 行は、イベントとして読めませんでした。",
  ]),
  [
    "Codex is not signed in. Run `codex login`, or set CODEX_API_KEY for the daemon. The CLI said: 401",
    "Codex がサインインしていません。`codex login` を実行するか、デーモンの環境変数 CODEX_API_KEY を設定してください。 CLI のメッセージ: 401",
  ],
  [
    "The agent ended without an answer (failed): Cursor is not signed in. Run `agent login`, or set CURSOR_API_KEY.",
    "エージェントが答えずに終わりました (failed): Cursor がサインインしていません。`agent login` を実行するか、CURSOR_API_KEY を設定してください。",
  ],
])("the stored reason %j is shown in Japanese", (reason, japanese) => {
  expect(reasonIn(reason, "ja")).toBe(japanese);
  expect(reasonIn(reason, "en")).toBe(reason);
});
