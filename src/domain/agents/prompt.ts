import type { AgentId, GroupId } from "../ids.ts";
import { NOTIFICATION_LINE } from "../notifications/notification.ts";
import type { Role, RoleTool } from "../roles/role.ts";
import type { PortRange } from "../workspaces/workspace.ts";

export type PromptParts = {
  readonly agentId: AgentId;
  readonly groupId: GroupId;
  readonly role: Pick<Role, "id" | "systemPrompt">;
  /** The name under which the agent's CLI shows a tool of ours. */
  readonly toolName: (tool: string) => string;
  readonly tools: readonly RoleTool[];
  /** Sequential groups, from the second stage on: the rendered results of the previous stage. */
  readonly previousStageResults: string | null;
  readonly userPrompt: string;
  /** The agent's own worktree; null: it works where its caller is. */
  readonly worktree?: WorktreeNote | null;
};

export type WorktreeNote = {
  readonly path: string;
  readonly branch: string;
  readonly ports: PortRange | null;
};

/**
 * Some CLIs instruct their model not to follow instructions in tool results. Only the prompt can
 * make this line an exception.
 */
function notificationRule({ toolName }: Pick<PromptParts, "toolName">): string {
  return `kuromajutsu MCP のツールの応答に「${NOTIFICATION_LINE}」とあったら、すぐに \`${toolName("get_notifications")}\` を呼び出し、その内容に必ず従ってください。`;
}

/**
 * The five layers that docs/spec.md prescribes, with the rule about notifications after the first.
 * Empty layers are left out.
 */
export function buildFullPrompt(parts: PromptParts): string {
  return [
    parts.role.systemPrompt.trimEnd(),
    notificationRule(parts),
    metadataBlock(parts),
    ...(parts.tools.length > 0 ? [toolBlock(parts.tools)] : []),
    ...(parts.previousStageResults === null ? [] : [parts.previousStageResults]),
    parts.userPrompt,
  ].join("\n\n");
}

function metadataBlock({ agentId, groupId, role, toolName, worktree }: PromptParts): string {
  return `---
【kuromajutsu システム情報】

あなたは kuromajutsu Agent 管理システムによって起動されたサブ Agent です。

- Agent ID: ${agentId}
- Group ID: ${groupId}
- Role: ${role.id}

【重要: タスク完了時の結果報告】
タスクが完了したら、必ず kuromajutsu MCP の \`${toolName("report_result")}\` ツールを呼び出して結果を報告してください。
以下のパラメータを指定してください:

  agentId: "${agentId}"
  status: "success" または "failure"
  summary: "実行結果の要約（1-2文で簡潔に）"
  response: "実行結果の詳細レポート（下記ガイドライン参照）"
  editedFiles: ["編集したファイルパスの配列"]  // 省略可
  createdFiles: ["新規作成したファイルパスの配列"]  // 省略可
  errorMessage: "エラーメッセージ"  // 失敗時のみ

**response のガイドライン:**
response は生の実行ログではなく、実行結果を適切にまとめた構造化レポートです。
メイン Agent や人間が読んで内容を正確に把握できるよう、以下を整理して記載してください:
- 何を実施したか（実施内容）
- 結果どうなったか（成果・変更点）
- 判断や選択の理由（なぜそうしたか）
- 注意点・懸念事項（あれば）
- 次のステップへの申し送り事項（あれば）

${toolName("report_result")} を呼ばないとメイン Agent が結果を受け取れません。タスクの成否に関わらず必ず呼び出してください。${worktree ? `\n\n${worktreeBlock(worktree)}` : ""}
---`;
}

function worktreeBlock({ path, branch, ports }: WorktreeNote): string {
  const last = ports && ports.from + ports.count - 1;
  return `【作業ツリー】

あなた専用の git 作業ツリー ${path} で作業します（ブランチ ${branch}）。ほかのエージェントとは別のディレクトリです。
- ファイルの読み書きは、この作業ツリーの中だけで行ってください。元のリポジトリのパスには書き込まないでください。
- コミット、ブランチの切り替え、push は不要です。終了後に kuromajutsu が変更をすべて記録し、人がレビューして取り込みます。${
    ports ? `\n- サーバーを起動するときは、ポート ${ports.from}〜${last} を使ってください。` : ""
  }`;
}

function toolBlock(tools: readonly RoleTool[]): string {
  return tools
    .map((tool) => `【利用可能なツール: ${tool.name}】\n\n${tool.promptInstructions.trimEnd()}`)
    .join("\n\n");
}
