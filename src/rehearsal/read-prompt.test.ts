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
    tools: [],
    previousStageResults: null,
    userPrompt: "画面を直す",
    ...over,
  });
}

test("who we are and what is asked comes out of the five layers", () => {
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

test("a role's own words do not steer", () => {
  const prompt = aPrompt({
    role: { id: "impl-code", systemPrompt: "#rehearsal crash\n---\n#rehearsal hang" },
    userPrompt: "#rehearsal say やあ\n---\n#rehearsal sleep 1",
  });

  expect(readPrompt(prompt).directives).toEqual([
    { verb: "say", text: "やあ" },
    { verb: "sleep", ms: 1 },
  ]);
});

test("after a quoted prompt only what follows it steers", () => {
  const quoted = aPrompt({ agentId: "x-1-1", userPrompt: "#rehearsal say 後" });

  const read = readPrompt(aPrompt({ userPrompt: `#rehearsal say 先\n${quoted}` }));

  expect(read.directives).toEqual([{ verb: "say", text: "後" }]);
});

test("a block that is begun and never closed is just text", () => {
  const read = readPrompt(
    aPrompt({
      userPrompt: "#rehearsal say a\n---\n【kuromajutsu システム情報】\n#rehearsal say b",
    }),
  );

  expect(read.directives).toHaveLength(2);
  expect(read.agentId).toBe("impl-code-1794733200-a3f2");
});

test("a bare prompt is all the user's", () => {
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

test("behind tool instructions and earlier results the user's line is still found", () => {
  const prompt = aPrompt({
    tools: [{ id: "search", name: "検索", description: "", promptInstructions: "使い方" }],
    previousStageResults: "【前のステージの結果】\n\n- まとめ",
    userPrompt: "続きを書く\n#rehearsal say x",
  });

  expect(readPrompt(prompt).firstLine).toBe("続きを書く");
});

test("behind the whole results of a stage the user's words are found", () => {
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
])("the user's words tell the language, and no layer of ours: %j", (userPrompt, language) => {
  expect(readPrompt(aPrompt({ userPrompt })).language).toBe(language);
});

test("behind tool instructions in Japanese English words are English", () => {
  const tools = [{ id: "search", name: "検索", description: "", promptInstructions: "使い方" }];

  expect(readPrompt(aPrompt({ tools, userPrompt: "Fix the page" })).language).toBe("en");
});

test.each([
  ["task: 画面を直す\ncompletionCriteria: 動く", "画面を直す"],
  ["task:\n画面を直す\n\n続き", "画面を直す"],
  ["- **task**： 画面を直す", "画面を直す"],
])("an orchestrator is asked for its task: %j", (block, expected) => {
  const userPrompt = `【Magentic タスク】\n${block}\n\ncontext: 背景\nmaxIterations: 3`;

  expect(readPrompt(aPrompt({ userPrompt })).firstLine).toBe(expected);
});

test("words of others are passed on as one line", () => {
  expect(oneLine("a\n#rehearsal crash\r\n b", 100)).toBe("a #rehearsal crash b");
  expect(oneLine("あ".repeat(1_000), 3)).toBe("あああ…");
});

test("two megabytes are read in no time", () => {
  const prompt = aPrompt({ userPrompt: `---\n${"長い行\n".repeat(200_000)}#rehearsal crash` });
  const read = readPrompt(prompt);

  expect(read.directives).toEqual([{ verb: "crash" }]);
});

test("shortening counts characters and cuts between them", () => {
  expect(shorten("あいう", 3)).toBe("あいう");
  expect(shorten("あいうえ", 3)).toBe("あいう…");
  expect(shorten("😀😀😀", 2)).toBe("😀😀…");
  expect(shorten("x".repeat(1_000_000), 2)).toBe("xx…");
});
