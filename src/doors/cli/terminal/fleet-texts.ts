import type { AgentStatus } from "../../../domain/agents/agent.ts";
import type { GroupMode, GroupStatus } from "../../../domain/groups/group.ts";
import type { Locale } from "../../../domain/locale.ts";

/** What the terminal says about agents, groups and their transcripts. */
export type FleetTexts = {
  readonly locale: Locale;
  readonly agent: Record<AgentStatus, string>;
  readonly group: Record<GroupStatus, string>;
  readonly mode: Record<GroupMode, string>;
  readonly noAgents: string;
  readonly noGroups: string;
  readonly noActiveGroups: (program: string) => string;
  readonly id: string;
  readonly status: string;
  readonly role: string;
  readonly elapsed: string;
  readonly tools: string;
  readonly tokens: string;
  readonly lastMessage: string;
  readonly description: string;
  readonly kind: string;
  readonly agents: string;
  readonly created: string;
  readonly group1: string;
  readonly runner: string;
  readonly model: string;
  readonly directory: string;
  readonly currentTool: string;
  readonly prompt: string;
  readonly result: string;
  readonly error: string;
  readonly files: string;
  readonly stage: (current: number, total: number) => string;
  readonly moreAgents: (count: number) => string;
  readonly askStop: (count: number) => string;
  readonly nothingToStop: string;
  readonly stopping: (count: number) => string;
  readonly messageNeeded: (program: string, id: string) => string;
  readonly messageSent: (id: string) => string;
  readonly noTranscript: string;
  readonly noLog: (path: string) => string;
  readonly ended: string;
};

const ja: FleetTexts = {
  locale: "ja",
  agent: {
    queued: "順番待ち",
    running: "実行中",
    completed: "完了",
    failed: "失敗",
    timedOut: "時間切れ",
    cancelled: "停止",
    lost: "行方不明",
    resultReported: "報告済み",
  },
  group: { active: "有効", deleted: "終了" },
  mode: { concurrent: "並列", sequential: "ステージ順", magentic: "オーケストレーター" },
  noAgents: "エージェントはいません。",
  noGroups: "グループはありません。",
  noActiveGroups: (program) =>
    `動いているグループはありません。${program} groups --all で、終わったものも表示します。`,
  id: "ID",
  status: "状態",
  role: "職種",
  elapsed: "経過",
  tools: "ツール",
  tokens: "トークン",
  lastMessage: "最後のメッセージ",
  description: "内容",
  kind: "種類",
  agents: "エージェント",
  created: "作成",
  group1: "グループ",
  runner: "ランナー",
  model: "モデル",
  directory: "作業ディレクトリ",
  currentTool: "使用中のツール",
  prompt: "依頼",
  result: "結果",
  error: "エラー",
  files: "ファイル",
  stage: (current, total) => `ステージ ${current}/${total}`,
  moreAgents: (count) => `… ほか ${count} 体`,
  askStop: (count) => `エージェント ${count} 体を停止します。続けますか? [y / n] `,
  nothingToStop: "動いているエージェントはありません。",
  stopping: (count) => `エージェント ${count} 体を停止しています。`,
  messageNeeded: (program, id) => `メッセージを書いてください: ${program} agents ${id} message "…"`,
  messageSent: (id) => `${id} にメッセージを送りました。次にツールを使ったときに伝わります。`,
  noTranscript: "まだ出力がありません。",
  noLog: (path) =>
    `ログファイル ${path} はまだありません。\`serve\` を端末で動かしているときは、その端末に表示されます。`,
  ended: "エージェントは終わりました。",
};

const en: FleetTexts = {
  locale: "en",
  agent: {
    queued: "queued",
    running: "running",
    completed: "completed",
    failed: "failed",
    timedOut: "timed out",
    cancelled: "stopped",
    lost: "lost",
    resultReported: "reported",
  },
  group: { active: "active", deleted: "ended" },
  mode: { concurrent: "concurrent", sequential: "sequential", magentic: "orchestrator" },
  noAgents: "There are no agents.",
  noGroups: "There are no groups.",
  noActiveGroups: (program) =>
    `No group is active. ${program} groups --all also lists those that have ended.`,
  id: "ID",
  status: "Status",
  role: "Role",
  elapsed: "Elapsed",
  tools: "Tools",
  tokens: "Tokens",
  lastMessage: "Last message",
  description: "What",
  kind: "Kind",
  agents: "Agents",
  created: "Created",
  group1: "Group",
  runner: "Runner",
  model: "Model",
  directory: "Directory",
  currentTool: "Tool in use",
  prompt: "Request",
  result: "Result",
  error: "Error",
  files: "Files",
  stage: (current, total) => `stage ${current}/${total}`,
  moreAgents: (count) => `… ${count} more`,
  askStop: (count) => `This stops ${agentsText(count)}. Go on? [y / n] `,
  nothingToStop: "No agent is running.",
  stopping: (count) => `Stopping ${agentsText(count)}.`,
  messageNeeded: (program, id) => `Write a message: ${program} agents ${id} message "…"`,
  messageSent: (id) => `Sent to ${id}, which reads it with its next tool call.`,
  noTranscript: "There is no output yet.",
  noLog: (path) =>
    `There is no log file ${path} yet. A \`serve\` in a terminal writes to that terminal.`,
  ended: "The agent has ended.",
};

function agentsText(count: number): string {
  return count === 1 ? "1 agent" : `${count} agents`;
}

export const FLEET_TEXTS: Readonly<Record<Locale, FleetTexts>> = { ja, en };
