import type { TerminalTexts } from "./terminal-texts.ts";

const person = (id: string) => (id === "local" ? "あなた (local)" : id);

export const ja: TerminalTexts = {
  locale: "ja",
  task: {
    analyzing: "分析中",
    planning: "実行方針を作成中",
    awaiting_prompt_approval: "実行方針の承認待ち",
    designing: "ステップを作成中",
    awaiting_process_approval: "ステップの承認待ち",
    in_progress: "実行中",
    blocked: "ブロック",
    completed: "完了",
    failed: "失敗",
    cancelled: "中止",
  },
  step: {
    waiting: "待機中",
    running: "実行中",
    waiting_for_human: "人の確認待ち",
    done: "完了",
    failed: "失敗",
    rejected: "却下",
    stopped: "停止",
    outcome_unknown: "結果不明",
  },
  execution: {
    queued: "順番待ち",
    running: "実行中",
    waiting_for_human: "人の確認待ち",
    stopping: "停止中",
    completed: "完了",
    failed: "失敗",
    blocked: "ブロック",
    cancelled: "中止",
  },
  asks: {
    prompt: "📝 実行方針の確認をお願いします。",
    process: "⚙️ 実行ステップの確認をお願いします。",
    step: "🔍 このステップを実行しますか?",
    unplanned_tool: "⚠️ 承認済みのステップにないツールです。実行しますか?",
    call: "🔍 エージェントがこのツールを使おうとしています。実行しますか?",
    question: "❓ エージェントからの質問です。",
    outcome: "⚠️ 呼び出しの結果が分かりません。実行されましたか?",
    merge: "🔀 エージェントの変更を取り込みますか?",
  },
  kinds: {
    prompt: "実行方針",
    process: "実行ステップ",
    step: "人の確認",
    unplanned_tool: "計画外のツール",
    call: "ツールの呼び出し",
    question: "質問",
    outcome: "結果不明の呼び出し",
    merge: "変更の取り込み",
  },
  approval: {
    pending: "承認待ち",
    approved: "承認済み",
    rejected: "却下",
    superseded: "差し替え済み",
    expired: "期限切れ",
    cancelled: "取り消し",
  },
  accepted: (id) => `受け付けました (${id})。`,
  sampleHint: (program, id) =>
    `💡 実行中に Ctrl-C を押し、b でブロックしてみてください。もう一度 Ctrl-C を押し、u で解除できます（1 ステップ 15 秒ほどです）。
   別の端末からもできます:
   ${program} tasks ${id} block --reason "順番を変えたい"
   ${program} tasks ${id} unblock`,
  sampleCosts: (runner) =>
    `お試しタスクは ${runner} のモデルを使うため、コストがかかることがあります。依頼しますか? [y / n] `,
  sampleNeedsYes: (runner) =>
    `お試しタスクは ${runner} のモデルを使うため、コストがかかることがあります。端末がなく確認できないため、依頼していません。依頼するには --yes を付けてください。`,
  daemonStarted: (url) => `デーモンを起動しました: ${url}`,
  promptVersion: (version) => `📝 実行方針 v${version}`,
  steps: (version) => `⚙️ 実行ステップ v${version}`,
  approvedByFlag: (title) => `✅ --yes の指定により承認しました: ${title}`,
  decide: "承認しますか? [y = 承認 / n = 却下] ",
  decideOrView: "承認しますか? [y = 承認 / n = 却下 / v = すべて表示] ",
  chooseLetter: (letters) => `${letters.join(" か ")} を入力して Enter を押してください。`,
  omitted: (lines) => `… ほか ${lines} 行`,
  cut: "… で切れている欄があります",
  viewAll: "v ですべて表示",
  reason: "理由: ",
  reasonNeeded: "理由を入力してください。次の版に反映されます。",
  answer: "回答: ",
  answerNeeded: "回答を入力して Enter を押してください。",
  chooseAnswer: (count) => `番号を選んでください [1-${count}] `,
  chooseNumber: (count) => `1 から ${count} までの番号を入力してください。`,
  outcome: "[d = 実行された / r = もう一度実行する / n = 失敗とする] ",
  rejectStep: "却下するとどうしますか? [f = 実行を失敗にする / s = このステップなしで続ける] ",
  tool: "ツール",
  arguments: "引数",
  request: "依頼",
  progress: (done, total) => `進捗: ${done}/${total} 完了`,
  moreSteps: (count) => `… ほか ${count} ステップ`,
  decidedElsewhere(by, status) {
    switch (status) {
      case "approved":
        return `${person(by)} が別の画面で承認しました。`;
      case "rejected":
        return `${person(by)} が別の画面で却下しました。`;
      case "expired":
        return "回答の期限が過ぎました。";
      case "superseded":
        return "新しい版ができたため、この確認は不要になりました。";
      case "cancelled":
      case "pending":
        return "タスクがブロックまたは中止されたため、この確認は不要になりました。";
    }
  },
  decided: (status, title) =>
    status === "approved"
      ? `承認しました: ${title}`
      : status === "rejected"
        ? `却下しました: ${title}`
        : `記録しました。ほかの人の判断も必要です: ${title}`,
  interrupted: {
    whatNow: "どうしますか?",
    choices: {
      b: "b = ブロックする (あとで再開できる)",
      u: "u = ブロックを解除",
      c: "c = タスクを中止",
      d: "d = 切り離す (タスクは続く)",
      "": "Enter = 表示を続ける",
    },
  },
  blockReasonNeeded: "理由を入力してください。エージェントと、あとで記録を見る人に伝わります。",
  detached: (program, id) =>
    `切り離しました。タスクは続いています。続きを見るには: ${program} tasks ${id} follow`,
  cancelled: (count) =>
    count === 0
      ? "中止しました。動いているエージェントはありませんでした。"
      : `中止しました。エージェント ${count} 体が停止します。`,
  blocked: (count) =>
    count === 0
      ? "ブロックしました。動いているエージェントはありませんでした。"
      : `ブロックしました。エージェント ${count} 体が停止します。`,
  unblocked: "ブロックを解除しました。続きから進みます。",
  retried: "失敗したステップから再実行します。",
  stopsAgents: (count) => `実行中のエージェント ${count} 体が停止します。続けますか? [y / n] `,
  unchanged: "何も変更しませんでした。",
  nobodyHere: (program, id) =>
    `承認を待っています。別の端末で \`${program} approvals ${id} approve\` を実行するか、ダッシュボードで承認してください。--yes を付けるとすべて承認します。`,
  summary: "サマリー",
  error: "エラー",
  files: "ファイル",
  moreFiles: (count) => `… ほか ${count} 件`,
  duration: "所要時間",
  waitedForPeople: (duration) => `うち人の判断待ち ${duration}`,
  dashboard: "ダッシュボード",
  details: "結果の詳細",
  noTasks: (program) => `タスクはありません。${program} run "…" で依頼できます。`,
  noTasksMatch: "条件に合うタスクはありません。",
  noApprovals: "承認待ちはありません。",
  noAlerts: "アラートはまだありません。",
  alert: {
    pending: "送信待ち",
    sent: "送信済み",
    failed: "送信できませんでした",
    dropped: "対応済みのため送信しませんでした",
  },
  alertSent: (target, ms) => `${target}: 送信しました (${ms} ms)`,
  alertNotSent: (target, why) => `${target}: 送信できませんでした。${why}`,
  reconnected: "デーモンに再接続しました。",
  daemonRevived: (url) =>
    `デーモンが異常終了したため、新しく起動しました。続きから進みます。ダッシュボード: ${url}`,
  daemonStopped: (command) =>
    `デーモンが停止されたため、ここで終わります。起動し直してはいません。続けるには: ${command}`,
  blockedBy: (by, reason) => `⏸ ${person(by)} がブロックしました${reason && `: ${reason}`}`,
  unblockedBy: (by) => `▶ ${person(by)} がブロックを解除しました。`,
  person,
  requester: "依頼者",
  headings: {
    id: "ID",
    status: "状態",
    title: "内容",
    created: "作成",
    kind: "種類",
    task: "タスク",
    target: "送り先",
  },
};
