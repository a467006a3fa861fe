import { z } from "zod";
import type { ADaemon } from "./daemon.ts";
import { aRequest, type Rest } from "./rest.ts";

export const BUSY: ADaemon = {
  servers: ["notes"],
  config: { prices: { models: { "claude-4-sonnet": { input: 3, output: 15 } } } },
};

const magentic = z.looseObject({ groupId: z.string(), orchestratorAgentId: z.string() });
const waitsForEver = "#rehearsal say 画面を読み、直すところを探しています\n#rehearsal sleep 600000";

export type Scene = Awaited<ReturnType<typeof aBusyScene>>;

/** Data for every kind of content that a page can show. */
export async function aBusyScene(rest: Rest) {
  const [groupId, tasks, stages, delegated] = await Promise.all([
    rest.group("認証機能の実装・テスト・レビュー"),
    someTasks(rest),
    someStages(rest),
    rest.tool("run_magentic", {
      description: "挨拶を三つの言葉で",
      task: "挨拶を書く",
      completionCriteria: "三つあること",
      scope: "この作業ディレクトリだけ",
    }),
  ]);
  const [working = "", done = "", broken = ""] = await rest.run(groupId, [
    `ログイン画面を直して\n${waitsForEver}`,
    [
      "メモを書いて",
      "#rehearsal write notes.txt 一行目",
      "#rehearsal edit notes.txt 二行目",
      "#rehearsal usage 12000 3400",
      "#rehearsal say # まとめ\\n\\n- 一つ\\n- 二つ",
      "#rehearsal report success メモを書きました",
    ].join("\n"),
    "無理なことをして\n#rehearsal fail できませんでした",
  ]);
  await rest.reachAgent(working, "running");
  await rest.reachAgent(done, "resultReported");
  await rest.reachAgent(broken, "failed");
  await rest.ask("POST", `/api/agents/${working}/message`, { text: "先に試験を書いてください" });
  const { groupId: magenticId, orchestratorAgentId } = magentic.parse(delegated);
  await rest.reachAgent(orchestratorAgentId, "resultReported", "completed");
  return { groupId, working, done, broken, stages, magenticId, orchestratorAgentId, ...tasks };
}

async function someTasks(rest: Rest) {
  const prompt = await rest.create(aRequest("来月の当番表を作って"));
  const [held, blocked, completed] = await Promise.all([
    rest.start(aRequest("議事録を書いて", "check step-2")),
    rest.start(aRequest("ノートを整理して", "first before step-3 listen 600000")),
    rest.start(aRequest("ノートを書いて")),
  ]);
  const failed = await rest.create("できないことをして\n#rehearsal in planner fail 案が出ません");
  const { approvalId } = await rest.pending(prompt, "prompt");
  await rest.pending(held, "step");
  await rest.reach(blocked, ({ toolCalls }) =>
    toolCalls.some(({ tool, status }) => tool === "write_note" && status === "done"),
  );
  await rest.ask("PATCH", `/api/tasks/${blocked}`, { status: "blocked", reason: "列が変わるため" });
  await rest.reach(completed, ({ status }) => status === "completed");
  await rest.reach(failed, ({ status }) => status === "failed");
  return { prompt, approvalId, held, blocked, completed, failed };
}

async function someStages(rest: Rest): Promise<string> {
  const groupId = await rest.group("設計 → 実装 → 確認", "sequential");
  const tasks = (...prompts: readonly string[]) => ({
    tasks: prompts.map((prompt) => ({ role: "impl-code", prompt })),
  });
  await rest.tool("run_sequential", {
    groupId,
    stages: [tasks("設計する"), tasks(`実装する\n${waitsForEver}`, "補助する"), tasks("確認する")],
  });
  return groupId;
}
