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

/** Lines that look like ours are quoted: a report is data, and must not pass for our own words. */
function quoted(text: string): string {
  return text.replaceAll(/^(?=---|#rehearsal|【)/gm, "> ");
}

function renderResult(result: AgentResult): string {
  const head = `■ ${result.role}（${result.agentId}）: ${STATUS_TEXT[result.status]}`;
  return [
    head,
    `summary: ${quoted(result.summary)}`,
    `response:\n${quoted(result.response)}`,
    ...(result.errorMessage === null ? [] : [`errorMessage: ${quoted(result.errorMessage)}`]),
  ].join("\n\n");
}
