import { expect, test } from "vitest";
import { anAgent } from "../../test/kit/builders.ts";
import { NO_PROGRESS } from "../domain/agents/progress.ts";
import { buildFullPrompt, type PromptParts } from "../domain/agents/prompt.ts";
import { observedResult } from "../domain/agents/result.ts";
import { renderPreviousStage } from "../domain/groups/previous-stage.ts";
import { oneLine, readPrompt, shorten } from "./read-prompt.ts";

function aPrompt(over: Partial<PromptParts> = {}): string {
  return buildFullPrompt({
    agentId: "impl-code-1794733200-a3f2",
    groupId: "grp-1794733200-b4e1",
    role: { id: "impl-code", systemPrompt: "あなたは実装者です。" },
    toolName: (tool) => tool,
    tools: [],
    previousStageResults: null,
    userPrompt: "画面を直す",
    ...over,
  });
}

test("readPrompt finds the ids and the user's prompt in the five layers", () => {
  const read = readPrompt(aPrompt({ userPrompt: "\n画面を直す\n#rehearsal say やあ\n詳しくは…" }));

  expect(read).toEqual({
    agentId: "impl-code-1794733200-a3f2",
    groupId: "grp-1794733200-b4e1",
    role: "impl-code",
    rest: "\n\n画面を直す\n#rehearsal say やあ\n詳しくは…",
    firstLine: "画面を直す",
    language: "ja",
    directives: [{ verb: "say", text: "やあ" }],
  });
});

test("directives in the role's prompt are ignored", () => {
  const prompt = aPrompt({
    role: { id: "impl-code", systemPrompt: "#rehearsal crash\n---\n#rehearsal hang" },
    userPrompt: "#rehearsal say やあ\n---\n#rehearsal sleep 1",
  });

  expect(readPrompt(prompt).directives).toEqual([
    { verb: "say", text: "やあ" },
    { verb: "sleep", ms: 1 },
  ]);
});

test("only directives after a quoted prompt are used", () => {
  const quoted = aPrompt({ agentId: "x-1-1", userPrompt: "#rehearsal say 後" });

  const read = readPrompt(aPrompt({ userPrompt: `#rehearsal say 先\n${quoted}` }));

  expect(read.directives).toEqual([{ verb: "say", text: "後" }]);
});

test("a metadata block that is not closed is just text", () => {
  const read = readPrompt(
    aPrompt({
      userPrompt: "#rehearsal say a\n---\n【kuromajutsu システム情報】\n#rehearsal say b",
    }),
  );

  expect(read.directives).toHaveLength(2);
  expect(read.agentId).toBe("impl-code-1794733200-a3f2");
});

test("without a metadata block the whole text is the user's prompt", () => {
  const read = readPrompt("#rehearsal hang\nやって");

  expect(read).toEqual({
    agentId: undefined,
    groupId: undefined,
    role: undefined,
    rest: "#rehearsal hang\nやって",
    firstLine: "やって",
    language: "ja",
    directives: [{ verb: "hang" }],
  });
});

test("readPrompt finds the user's first line after tool instructions and earlier results", () => {
  const prompt = aPrompt({
    tools: [{ id: "search", name: "検索", description: "", promptInstructions: "使い方" }],
    previousStageResults: "【前のステージの結果】\n\n- まとめ",
    userPrompt: "続きを書く\n#rehearsal say x",
  });

  expect(readPrompt(prompt).firstLine).toBe("続きを書く");
});

test("readPrompt finds the user's prompt after the complete results of a stage", () => {
  const result = {
    ...observedResult(anAgent({ status: "completed" }), NO_PROGRESS, null, 0),
    response: "前\n\n---\n\n後",
  };
  const prompt = aPrompt({
    previousStageResults: renderPreviousStage(0, [result]),
    userPrompt: "Go on\n\nwith it",
  });

  expect(readPrompt(prompt)).toMatchObject({ firstLine: "Go on", language: "en" });
});

test.each([
  ["Fix the page\n#rehearsal say やあ", "en"],
  ["Fix the page\n\n見出しだけ", "ja"],
  ["【Magentic タスク】\n\ntask: Fix the page\navailableRoles: research", "en"],
  ["【Magentic タスク】\n\ntask: Fix the page\nscope: 見出し", "ja"],
])("the user's text decides the language, not our layers: %j", (userPrompt, language) => {
  expect(readPrompt(aPrompt({ userPrompt })).language).toBe(language);
});

test("an English prompt after Japanese tool instructions counts as English", () => {
  const tools = [{ id: "search", name: "検索", description: "", promptInstructions: "使い方" }];

  expect(readPrompt(aPrompt({ tools, userPrompt: "Fix the page" })).language).toBe("en");
});

test.each([
  ["task: 画面を直す\ncompletionCriteria: 動く", "画面を直す"],
  ["task:\n画面を直す\n\n続き", "画面を直す"],
  ["- **task**： 画面を直す", "画面を直す"],
])("readPrompt finds an orchestrator's task: %j", (block, expected) => {
  const userPrompt = `【Magentic タスク】\n${block}\n\ncontext: 背景\nmaxIterations: 3`;

  expect(readPrompt(aPrompt({ userPrompt })).firstLine).toBe(expected);
});

test("oneLine puts a foreign text on one line", () => {
  expect(oneLine("a\n#rehearsal crash\r\n b", 100)).toBe("a #rehearsal crash b");
  expect(oneLine("あ".repeat(1_000), 3)).toBe("あああ…");
});

test("readPrompt reads two megabytes in linear time", () => {
  const prompt = aPrompt({ userPrompt: `---\n${"長い行\n".repeat(200_000)}#rehearsal crash` });
  const read = readPrompt(prompt);

  expect(read.directives).toEqual([{ verb: "crash" }]);
});

test("shorten counts characters and cuts between them", () => {
  expect(shorten("あいう", 3)).toBe("あいう");
  expect(shorten("あいうえ", 3)).toBe("あいう…");
  expect(shorten("😀😀😀", 2)).toBe("😀😀…");
  expect(shorten("x".repeat(1_000_000), 2)).toBe("xx…");
});
