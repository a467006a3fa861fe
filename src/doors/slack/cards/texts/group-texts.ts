import type { AgentStatus } from "../../../../domain/agents/agent.ts";
import type { GroupMode } from "../../../../domain/groups/group.ts";
import type { Locale } from "../../../../domain/locale.ts";

const MODES_JA: Readonly<Record<GroupMode, string>> = {
  concurrent: "並列",
  sequential: "順次",
  magentic: "自律 Magentic",
};
const MODES_EN: Readonly<Record<GroupMode, string>> = {
  concurrent: "Concurrent",
  sequential: "Sequential",
  magentic: "Magentic",
};
const STATUSES_JA: Readonly<Record<AgentStatus, string>> = {
  queued: "待機中",
  running: "実行中",
  completed: "完了",
  failed: "失敗",
  timedOut: "時間切れ",
  cancelled: "中止",
  lost: "行方不明",
  resultReported: "報告済み",
};
const STATUSES_EN: Readonly<Record<AgentStatus, string>> = {
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failed",
  timedOut: "timed out",
  cancelled: "cancelled",
  lost: "lost",
  resultReported: "reported",
};

const ja = {
  modes: MODES_JA,
  statuses: STATUSES_JA,
  running: "🧩 グループ実行中",
  stopping: "⏹️ グループ停止処理中",
  completed: "✅ グループ完了",
  failed: "⚠️ グループ終了(失敗あり)",
  stopped: "⏹️ グループ停止",
  counts: (done: number, total: number) => `進捗: ${done}/${total} 終了`,
  working: (count: number) => `🔄 実行中 ${count}`,
  queued: (count: number) => `⬜ 待機中 ${count}`,
  broken: (count: number) => `❌ 失敗 ${count}`,
  stage: (current: number, total: number) => `ステージ ${current}/${total}`,
  iteration: (current: number, max: number) => `反復 ${current}/${max}`,
  group: (id: string) => `*グループID:* ${id}`,
  stop: "⏹️ 停止",
  stopGroup: {
    title: "グループを停止しますか?",
    text: "動いているエージェントがすべて止まります。元に戻せません。",
    confirm: "停止する",
    deny: "キャンセル",
  },
  waitingForEnd: "⏹️ エージェントの終了を待っています",
  stoppedBy: (who: string) => `⏹️ ${who} が停止しました。エージェントの終了を待っています`,
  endedAt: (seconds: number, when: string) => `⏱️ 実行時間: ${seconds}秒 · 終了: ${when}`,
};

type GroupTexts = typeof ja;

const en: GroupTexts = {
  modes: MODES_EN,
  statuses: STATUSES_EN,
  running: "🧩 Group running",
  stopping: "⏹️ Stopping the group",
  completed: "✅ Group completed",
  failed: "⚠️ Group ended with failures",
  stopped: "⏹️ Group stopped",
  counts: (done, total) => `Progress: ${done}/${total} ended`,
  working: (count) => `🔄 ${count} running`,
  queued: (count) => `⬜ ${count} queued`,
  broken: (count) => `❌ ${count} failed`,
  stage: (current, total) => `Stage ${current}/${total}`,
  iteration: (current, max) => `Iteration ${current}/${max}`,
  group: (id) => `*Group ID:* ${id}`,
  stop: "⏹️ Stop",
  stopGroup: {
    title: "Stop the group?",
    text: "All its running agents stop. This cannot be undone.",
    confirm: "Stop",
    deny: "Cancel",
  },
  waitingForEnd: "⏹️ Waiting for the agents to end",
  stoppedBy: (who) => `⏹️ Stopped by ${who}. Waiting for the agents to end`,
  endedAt: (seconds, when) => `⏱️ Duration: ${seconds} s · Ended: ${when}`,
};

export const GROUP_TEXTS: Readonly<Record<Locale, GroupTexts>> = { ja, en };
