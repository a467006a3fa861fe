import type { Locale } from "../../../../domain/locale.ts";

const ja = {
  titles: {
    step: "⏸️ 人の確認",
    unplanned_tool: "⏸️ 計画外のツールの確認",
    call: "⏸️ 呼び出しの確認",
    question: "💬 エージェントからの質問",
    outcome: "❓ 結果不明の呼び出し",
    merge: "🔀 変更の取り込みの確認",
  },
  wants: {
    step: (tool: string, step: string) => `${step} — ${tool} をこの引数で呼び出してよいですか?`,
    unplanned_tool: (tool: string) =>
      `承認されたステップにないツール ${tool} をこの引数で呼び出してよいですか?`,
    call: (tool: string) => `エージェントが ${tool} をこの引数で呼び出してよいですか?`,
  },
  merge: (agent: string, version: number, target: string, mode: string) =>
    `${agent} の変更（バージョン ${version}）を ${target} に取り込んでよいですか? (${mode})`,
  files: (count: number, added: number, removed: number) =>
    `${count} ファイル · +${added} −${removed}`,
  conflicts: "⚠️ 今のままでは競合します",
  check: (command: string) => `取り込む前の検査: ${command}`,
  noCheck: "検査のコマンドは設定されていません。",
  step: (order: number, title: string) => `ステップ ${order} ${title}`,
  arguments: "引数",
  agent: (id: string) => `エージェント: ${id}`,
  task: (id: string) => `タスク: ${id}`,
  rest: {
    snippet:
      "✂️ 引数が長いため一部だけを表示しています。全文はこのスレッドのスニペットにあります。",
    dashboard:
      "✂️ 引数が長いため一部だけを表示しています。全文はダッシュボードで確認してください。",
  },
  choices: "選択肢",
  answer: "💬 回答する",
  lost: (tool: string, when: string) =>
    `${tool} を呼び出しましたが、応答が届きませんでした(送信: ${when})。`,
  checkLost:
    "相手側で実行されたかどうかを確認してください。二重に実行しないよう、ここで止めています。",
  done: "✅ 実行されていた",
  repeat: "🔁 もう一度実行",
  fail: "❌ 失敗にする",
  confirmRepeat: {
    title: "もう一度実行しますか?",
    text: "同じ呼び出しを送り直します。すでに実行されていた場合は、二重に実行されます。",
    confirm: "もう一度実行する",
    deny: "キャンセル",
  },
  error: "エラー",
  approved: (title: string) => `${title}(承認済み)`,
  rejected: (title: string) => `${title}(却下)`,
  expired: (title: string) => `${title}(期限切れ)`,
  cancelled: (title: string) => `${title}(取り消し)`,
  answered: (title: string) => `${title}(回答済み)`,
  resolved: (title: string) => `${title}(確認済み)`,
  approvedBy: (who: string, when: string) => `✅ 承認: ${who} · ${when}`,
  rejectedBy: (who: string, when: string) => `❌ 却下: ${who} · ${when}`,
  answeredBy: (who: string, when: string) => `💬 回答: ${who} · ${when}`,
  expiredAt: (when: string) => `⌛ 決定がないまま期限が過ぎました · ${when}`,
  cancelledAt: (when: string) => `⏹️ 決定の必要がなくなりました · ${when}`,
  outcomes: {
    done: "✅ 実行されていたものとして続けます",
    repeat: "🔁 もう一度実行します",
    failed: "❌ 失敗として扱います",
  },
  yourAnswer: "回答",
  reason: "理由",
  unknownPerson: "不明",
};

type AskTexts = typeof ja;

const en: AskTexts = {
  titles: {
    step: "⏸️ Human check",
    unplanned_tool: "⏸️ Check of an unplanned tool",
    call: "⏸️ Check of a call",
    question: "💬 Question from an agent",
    outcome: "❓ Call with an unknown outcome",
    merge: "🔀 Merge of a change",
  },
  wants: {
    step: (tool, step) => `${step} — allow the call of ${tool} with these arguments?`,
    unplanned_tool: (tool) =>
      `${tool} is not in the approved steps. Allow the call with these arguments?`,
    call: (tool) => `Allow an agent to call ${tool} with these arguments?`,
  },
  merge: (agent, version, target, mode) =>
    `Merge the change of ${agent} (version ${version}) into ${target}? (${mode})`,
  files: (count, added, removed) =>
    `${count} ${count === 1 ? "file" : "files"} · +${added} −${removed}`,
  conflicts: "⚠️ As it is now, it conflicts",
  check: (command) => `Check before it lands: ${command}`,
  noCheck: "No command checks it.",
  step: (order, title) => `Step ${order} ${title}`,
  arguments: "Arguments",
  agent: (id) => `Agent: ${id}`,
  task: (id) => `Task: ${id}`,
  rest: {
    snippet:
      "✂️ Only a part of the arguments fits here. The snippet in this thread has all of them.",
    dashboard:
      "✂️ Only a part of the arguments fits here. Please see all of them in the dashboard.",
  },
  choices: "Choices",
  answer: "💬 Answer",
  lost: (tool, when) => `${tool} was called, but no answer arrived (sent: ${when}).`,
  checkLost:
    "Please check on the other side whether it took effect. The task waits here so that nothing is done twice.",
  done: "✅ It was done",
  repeat: "🔁 Do it again",
  fail: "❌ Mark as failed",
  confirmRepeat: {
    title: "Do it again?",
    text: "The same call is sent once more. If it already took effect, it happens twice.",
    confirm: "Do it again",
    deny: "Cancel",
  },
  error: "Error",
  approved: (title) => `${title} (approved)`,
  rejected: (title) => `${title} (rejected)`,
  expired: (title) => `${title} (expired)`,
  cancelled: (title) => `${title} (withdrawn)`,
  answered: (title) => `${title} (answered)`,
  resolved: (title) => `${title} (resolved)`,
  approvedBy: (who, when) => `✅ Approved: ${who} · ${when}`,
  rejectedBy: (who, when) => `❌ Rejected: ${who} · ${when}`,
  answeredBy: (who, when) => `💬 Answered: ${who} · ${when}`,
  expiredAt: (when) => `⌛ The deadline passed without a decision · ${when}`,
  cancelledAt: (when) => `⏹️ A decision is no longer needed · ${when}`,
  outcomes: {
    done: "✅ The task continues as if the answer had arrived",
    repeat: "🔁 The call is sent once more",
    failed: "❌ The call counts as failed",
  },
  yourAnswer: "Answer",
  reason: "Reason",
  unknownPerson: "unknown",
};

export const ASK_TEXTS: Readonly<Record<Locale, AskTexts>> = { ja, en };
