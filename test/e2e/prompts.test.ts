import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, aStdioClient } from "../kit/daemon.ts";

test("an agent's prompt has the five layers word for word", async () => {
  const place = aPlace();
  await aDaemon(place);
  const client = await aStdioClient(place);
  const groupId = await aGroup(client);
  const userPrompt = "挨拶を書いて。\n#rehearsal echo-prompt received.txt";

  const [agentId = ""] = await runAll(client, groupId, [{ prompt: userPrompt }]);
  await waitForAll(client, [agentId]);

  expect(readFileSync(join(place.dir, "received.txt"), "utf8"))
    .toBe(`あなたはコード実装の専門家です。
与えられた仕様や指示に基づき、高品質なコードを実装してください。
実装が完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。

kuromajutsu MCP のツールの応答に「通知があります。get_notificationsを呼び出して確認してください。」とあったら、すぐに \`get_notifications\` を呼び出し、その内容に必ず従ってください。

---
【kuromajutsu システム情報】

あなたは kuromajutsu Agent 管理システムによって起動されたサブ Agent です。

- Agent ID: ${agentId}
- Group ID: ${groupId}
- Role: impl-code

【重要: タスク完了時の結果報告】
タスクが完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
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

report_result を呼ばないとメイン Agent が結果を受け取れません。タスクの成否に関わらず必ず呼び出してください。
---

${userPrompt}`);
});

test.each(["stdio", "http"] as const)("a prompt of 2 MB arrives complete over %s", async (door) => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = door === "stdio" ? await aStdioClient(place) : await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const bulk = "魔".repeat(2_000_000 / 3) + '\u{1F9D9}\u0001"\\';
  const prompt = `#rehearsal echo-prompt received.txt\n${bulk}`;

  const ids = await runAll(client, groupId, [{ prompt, workingDirectory: place.dir }]);
  await waitForAll(client, ids);

  const received = readFileSync(join(place.dir, "received.txt"), "utf8");
  expect(received.endsWith(prompt)).toBe(true);
});
