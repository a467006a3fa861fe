import type { Locale } from "../../../../src/domain/locale.ts";

const ja = {
  title: "今月の勤怠集計",
  description:
    "全従業員の今月の勤怠データを取得し、**残業時間**を計算して Google Sheet に書き込みます。終わったら依頼者に DM で知らせます。",
  type: "集計",
  prompt:
    "## 進め方\n1. 従業員一覧と今月の勤怠データを取得します。\n2. 1 日 8 時間を超えた分を**残業時間**として計算します。\n3. 結果を `勤怠集計` シートに書き込みます。\n\n- 退職者は含めません。\n- 書き込む前に、人の確認を受けます。",
  steps: ["従業員一覧を取得", "勤怠データ取得", "残業時間計算", "Sheet 書き込み", "完了通知"],
  reason: "ステップ 3 の前にデータの検証を追加してください",
  blockReason: "シートの列構成が変わるため",
  summary:
    "従業員 **24 名**の勤怠を集計し、`勤怠集計` シートに書き込みました。\n- 残業時間の合計: 312 時間\n- 45 時間を超えた人: 2 名",
  error: "calculate_overtime: 勤怠データに退勤時刻のない行があります (従業員 1017)。",
  draftError: "モデルの利用枠を使い切りました。12:00 に回復します。",
  question: "退勤時刻のない行が 3 件あります。どう扱いますか?",
  choices: ["その日を除いて計算する", "定時に退勤したものとする", "担当者に確認するまで待つ"],
  answer: "その日を除いて計算する",
  lostError: "接続が切れました",
  group: "リリース前のコードを 4 つの観点でレビュー",
  notes: [
    "入力の検証が 2 か所抜けています",
    "src/doors を読んでいます",
    "",
    "テストの実行が 10 分で打ち切られました",
  ],
  approvalTitles: ["実行方針 v1: 今月の勤怠集計", "実行ステップ v2: 経費の確認", "Sheet 書き込み"],
  tasks: ["今月の勤怠集計", "経費の確認", "先月の残業確認", "従業員一覧の取得"],
};

const en: typeof ja = {
  title: "Attendance of this month",
  description:
    "Get this month's attendance of all employees, calculate the **overtime** and write it to a Google Sheet. Then tell the requester by DM.",
  type: "report",
  prompt:
    "## Approach\n1. Get the employees and this month's attendance.\n2. Count what exceeds 8 hours a day as **overtime**.\n3. Write the result to the sheet `attendance`.\n\n- Former employees are left out.\n- A person checks the rows before they are written.",
  steps: [
    "Get the employees",
    "Get the attendance",
    "Calculate the overtime",
    "Write the sheet",
    "Tell the requester",
  ],
  reason: "Validate the data before step 3",
  blockReason: "The columns of the sheet are about to change",
  summary:
    "Wrote the attendance of **24 employees** to the sheet `attendance`.\n- Overtime in all: 312 hours\n- People above 45 hours: 2",
  error: "calculate_overtime: a row of employee 1017 has no end of work.",
  draftError: "The quota of the model is used up. It resets at 12:00.",
  question: "3 rows have no end of work. How should they count?",
  choices: [
    "Leave these days out",
    "Assume the regular end of work",
    "Wait until somebody has asked",
  ],
  answer: "Leave these days out",
  lostError: "The connection was closed",
  group: "Review the code before the release in 4 ways",
  notes: [
    "Input is not validated in 2 places",
    "Reading src/doors",
    "",
    "The tests were stopped after 10 minutes",
  ],
  approvalTitles: [
    "Prompt v1: attendance of this month",
    "Steps v2: check of the expenses",
    "Write the sheet",
  ],
  tasks: [
    "Attendance of this month",
    "Check of the expenses",
    "Overtime of last month",
    "List of employees",
  ],
};

export const SAMPLE_WORDS: Readonly<Record<Locale, typeof ja>> = { ja, en };
