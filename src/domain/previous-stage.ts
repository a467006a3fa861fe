import type { AgentResult, ResultStatus } from "./result.ts";

const STATUS_TEXT: Record<ResultStatus, string> = {
  success: "成功",
  failure: "失敗",
  timeout: "タイムアウト",
  cancelled: "中止",
};

/** The fourth layer of the prompt (seed 5.3.1): every result of the stage before, whole. */
export function renderPreviousStage(stageIndex: number, results: readonly AgentResult[]): string {
  return [
    "---",
    `【前ステージの結果】（ステージ ${stageIndex + 1}、${results.length} 件）`,
    ...results.map(renderResult),
    "---",
  ].join("\n\n");
}

function renderResult(result: AgentResult): string {
  const head = `■ ${result.role}（${result.agentId}）: ${STATUS_TEXT[result.status]}`;
  return [
    head,
    `summary: ${result.summary}`,
    `response:\n${result.response}`,
    ...(result.errorMessage === null ? [] : [`errorMessage: ${result.errorMessage}`]),
  ].join("\n\n");
}
