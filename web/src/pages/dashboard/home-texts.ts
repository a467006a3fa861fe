import { defineTexts } from "../../i18n/texts.ts";

export const HOME = defineTexts({
  ja: {
    recent: "最近のタスクと結果",
    allTasks: "すべてのタスク",
    noTasks: "まだタスクはありません。",
    noTasksHint: "「新しいタスク」から依頼するか、MCP クライアントから頼んでください。",
    waitsForYou: "あなたの判断待ち",
    waits: "承認待ち",
    steps: (done: number, total: number) => `ステップ ${done}/${total}`,
    reason: (reason: string) => `理由: ${reason}`,
    asked: (who: string) => `依頼: ${who}`,
    checklist: "はじめの一歩",
    progress: (done: number, total: number) => `${total} 個中 ${done} 個が完了`,
    done: "済み",
    todo: "これから",
    dismiss: "この一覧を閉じる",
    restore: "はじめの一歩を表示",
    wellDone: "よくできました。",
    wellDoneBody:
      "依頼から承認、実行までをひと通り行いました。結果は「最近のタスクと結果」から開けます。",
    next: "次にすること",
    allDone: "はじめの一歩はすべて終わりました。",
    connected: (name: string) => `${name} が接続しました`,
    firstSteps: {
      task: {
        title: "お試しタスクを 1 つ実行する",
        why: "依頼、承認、実行、結果までの流れが 1 分ほどで分かります。",
        action: "",
      },
      approve: {
        title: "下書きを承認する",
        why: "実行方針と実行ステップは、承認するまで動きません。",
        action: "承認を開く",
      },
      block: {
        title: "タスクをブロックして、解除する",
        why: "動いているエージェントを、いつでも理由を付けて止められます。",
        action: "タスクを開く",
      },
      client: {
        title: "いつもの AI (MCP クライアント) をつなぐ",
        why: "Cursor や Claude Code から、エージェントのチームを動かせます。",
        action: "つなぎ方を見る",
      },
      cli: {
        title: "エージェントの CLI を入れてサインインする",
        why: "リハーサルではなく、実際の作業ができるようになります。",
        action: "ヘルスチェックを開く",
      },
      team: {
        title: "利用者か Slack を加える",
        why: "チームで依頼と承認を分担し、Slack からも答えられます。",
        action: "設定を開く",
      },
    },
  },
  en: {
    recent: "Recent tasks and results",
    allTasks: "All tasks",
    noTasks: "No tasks yet.",
    noTasksHint: "Request one with “New task”, or ask from your MCP client.",
    waitsForYou: "Waiting for you",
    waits: "Awaiting approval",
    steps: (done, total) => `${done} of ${total} steps`,
    reason: (reason) => `Reason: ${reason}`,
    asked: (who) => `Asked by ${who}`,
    checklist: "First steps",
    progress: (done, total) => `${done} of ${total} done`,
    done: "done",
    todo: "to do",
    dismiss: "Close this list",
    restore: "Show the first steps",
    wellDone: "Well done.",
    wellDoneBody:
      "You took a task from the request through your approval to the result. Open it under “Recent tasks and results”.",
    next: "Next",
    allDone: "You have done all of the first steps.",
    connected: (name) => `${name} has connected`,
    firstSteps: {
      task: {
        title: "Run a sample task",
        why: "See a request become a draft, a decision of yours and a result, in about a minute.",
        action: "",
      },
      approve: {
        title: "Approve a draft",
        why: "A prompt and its steps do nothing until you approve them.",
        action: "Open approvals",
      },
      block: {
        title: "Block a task, then unblock it",
        why: "You can stop running agents at any time and tell them why.",
        action: "Open tasks",
      },
      client: {
        title: "Connect the AI you use (MCP client)",
        why: "Run a team of agents from Cursor, Claude Code and others.",
        action: "Show how",
      },
      cli: {
        title: "Install an agent CLI and sign in",
        why: "Then agents do real work instead of a rehearsal.",
        action: "Open the health check",
      },
      team: {
        title: "Add people or Slack",
        why: "Share requests and approvals with your team, and answer from Slack.",
        action: "Open settings",
      },
    },
  },
});
