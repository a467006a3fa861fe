import type { ToolAnswer } from "./answer.ts";
import { hearNotices } from "./notices.ts";
import { shorten } from "./read-prompt.ts";
import type { Report, Run } from "./run.ts";

const ANSWER_CHARS = 300;

/** Answers what went wrong. */
export async function report(run: Run, last: Report): Promise<string | undefined> {
  const { stream, tools, read, diary } = run;
  diary.hasReported = true;
  if (!tools.isKnown) {
    stream.say("リハーサル: KUROMAJUTSU_MCP_URL が無いので、結果は報告しません。");
    return undefined;
  }
  const agentId = run.agentId ?? read.agentId;
  if (agentId === undefined) return "Agent ID が環境変数にもプロンプトにもありません。";
  if (read.agentId !== undefined && read.agentId !== agentId) {
    return `Agent ID が食い違います (環境変数 ${agentId}、プロンプト ${read.agentId})。`;
  }

  const answer = await tell(run, agentId, last);
  if (answer.isError) {
    return `結果を報告できませんでした: ${shorten(answer.text, ANSWER_CHARS)}`;
  }
  stream.say("リハーサル: 結果を報告しました。");
  // Too late to act on, but whoever sent it can see that it was read.
  if (answer.isNotifying) await hearNotices(run);
  return undefined;
}

function tell(run: Run, agentId: string, last: Report): Promise<ToolAnswer> {
  const { tools, touched } = run;
  const { status, summary, result, response = responseOf(run) } = last;
  const words = { agentId, summary: `リハーサル: ${summary}`, response };
  if (result !== undefined) return tools.call("report_completed", { ...words, result });
  return tools.call("report_result", {
    ...words,
    status,
    editedFiles: [...touched.edited],
    createdFiles: [...touched.created],
    ...(status === "success" ? {} : { errorMessage: words.summary }),
  });
}

/** One line each: no line of it may look like a directive to a later stage that is given this report. */
function responseOf({ read, touched, model, diary }: Run): string {
  const verbs = read.directives.map(({ verb }) => verb).join("、");
  return [
    "リハーサルの報告です。",
    `- 実施内容: モデル (${model}) には何も尋ねず、プロセスの起動、ストリーム、ツール呼び出しだけを動かしました。`,
    `- 依頼の 1 行目: 「${read.firstLine}」`,
    `- 実行した指示: ${verbs || "なし"}`,
    ...diary.events.map((event) => `- ${event}`),
    ...diary.notices.map(
      ({ type, text, from }) => `- 受け取った通知 (${type}、${from} から): 「${text}」`,
    ),
    `- 作成したファイル: ${[...touched.created].join("、") || "なし"}`,
    `- 編集したファイル: ${[...touched.edited].join("、") || "なし"}`,
    "- 注意点: 依頼の中身は検討していません。",
  ].join("\n");
}
