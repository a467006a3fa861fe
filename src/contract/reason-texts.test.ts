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
])("the stored reason %j is shown in Japanese", (reason, japanese) => {
  expect(reasonIn(reason, "ja")).toBe(japanese);
  expect(reasonIn(reason, "en")).toBe(reason);
});
