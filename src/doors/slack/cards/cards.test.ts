import { expect, test } from "vitest";
import { checkBlocks, textsOf } from "../../../../test/kit/slack/block-kit.ts";
import { SAMPLES } from "../../../../test/kit/slack/samples/samples.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { StepStatus } from "../../../domain/tasks/execution.ts";
import { missingInputText, suggestedPrompts } from "./answers.ts";
import { areArgumentsCut, askCardPending } from "./ask-card.ts";
import { executionCardRunning, executionCardWaiting } from "./execution-card.ts";
import { homeView } from "./home.ts";
import { answerModal, blockModal, callRejectionModal } from "./modals.ts";
import { processCardPending } from "./process-card.ts";
import { promptCardPending } from "./prompt-card.ts";
import { taskCardComplete } from "./task-card.ts";
import type { CallAskView, StepProgress } from "./views.ts";
import { wrapCard } from "./wrap-card.ts";

const JA = { locale: "ja" } as const;

function stepsOf(count: number, statusOf: (index: number) => StepStatus): StepProgress[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `step-${index + 1}`,
    order: index + 1,
    title: `従業員 ${index + 1} の勤怠を確認して結果をまとめる`,
    tool: "hr/calculate_overtime_of_employee",
    requiresHumanCheck: index === 1,
    status: statusOf(index),
  }));
}

function shown(blocks: readonly unknown[]): string {
  return textsOf(blocks)
    .map(({ text }) => text)
    .join("\n");
}

test("a title of 200 characters becomes a header of 150", () => {
  const [header] = taskCardComplete({
    ...JA,
    title: "あ".repeat(200),
    description: "",
    priority: "low",
    type: "",
    taskId: "t",
  });
  expect(header).toEqual({
    type: "header",
    text: { type: "plain_text", text: `${"あ".repeat(147)}...`, emoji: true },
  });
});

test("60 steps are in several sections of whole lines, and all are counted", () => {
  const steps = stepsOf(60, (index) => (index < 20 ? "done" : "waiting"));
  const planned = processCardPending({ ...JA, steps, taskId: "t", version: 1, decisionValue: "v" });
  const running = executionCardRunning({ ...JA, steps, cancelValue: "v" });
  for (const blocks of [planned, running]) {
    expect(checkBlocks(blocks)).toEqual([]);
    expect(blocks.filter(({ type }) => type === "section").length).toBeGreaterThan(1);
    const text = shown(blocks);
    for (const { order } of steps) expect(text).toMatch(new RegExp(`(^|\\s)${order}\\. \\*`, "m"));
  }
  expect(shown(running)).toContain("進捗: 20/60 完了");
});

test("500 steps show the current ones and say how many others there are", () => {
  const steps = stepsOf(500, (index) =>
    index < 250 ? "done" : index === 250 ? "running" : "waiting",
  );
  const blocks = executionCardRunning({ ...JA, steps, cancelValue: "v" });
  const text = shown(blocks);
  expect(checkBlocks(blocks)).toEqual([]);
  expect(text).toContain("🔄 251. ");
  expect(text).toContain("…他 247 件\n✅ 248. ");
  expect(text).toMatch(/…他 \d+ 件$/m);
  expect(text).toContain("進捗: 250/500 完了");
});

test("two steps with the same tool have separate states", () => {
  const steps = stepsOf(2, (index) => (index === 0 ? "done" : "running"));
  const text = shown(executionCardRunning({ ...JA, steps, cancelValue: "v" }));
  expect(text).toContain("✅ 1. ");
  expect(text).toContain("🔄 2. ");
  expect(text).toContain("進捗: 1/2 完了");
});

test.each([
  ["waiting", "⬜"],
  ["running", "🔄"],
  ["waiting_for_human", "⏸️"],
  ["done", "✅"],
  ["failed", "❌"],
  ["rejected", "❌"],
  ["stopped", "⏹️"],
  ["outcome_unknown", "❓"],
] as const)("a step that is %s has the emoji %s", (status, emoji) => {
  const steps = stepsOf(1, () => status);
  expect(shown(executionCardRunning({ ...JA, steps, cancelValue: "v" }))).toContain(`${emoji} 1. `);
});

test("steps that need a human check are marked in the process", () => {
  const steps = stepsOf(2, () => "waiting");
  const text = shown(
    processCardPending({ ...JA, steps, taskId: "t", version: 1, decisionValue: "v" }),
  );
  expect(text.split("\n").filter((line) => line.endsWith("🔍"))).toHaveLength(1);
});

/** Everything but the texts. */
function shapeOf(value: unknown): unknown {
  const texts = ["text", "fallback", "verbatim"];
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      texts.includes(key) && typeof inner !== "object" ? "…" : inner,
    ),
  );
}

function shapes(locale: Locale): unknown {
  return SAMPLES.map(({ name, show }) => ({ name, shape: shapeOf(show(locale)) }));
}

const COLORS: Readonly<Record<string, string>> = {
  "task-generating": "#f2c744",
  "task-complete": "#36a64f",
  "task-failed": "#e01e5a",
  "task-cancelled": "#888888",
  "prompt-generating": "#f2c744",
  "prompt-pending": "#2196f3",
  "prompt-approved": "#36a64f",
  "prompt-regenerating": "#f2c744",
  "prompt-rejected": "#e01e5a",
  "prompt-cancelled": "#888888",
  "prompt-failed": "#e01e5a",
  "prompt-expired": "#888888",
  "prompt-withdrawn": "#888888",
  "process-generating": "#f2c744",
  "process-pending": "#2196f3",
  "process-approved": "#36a64f",
  "process-regenerating": "#f2c744",
  "process-rejected": "#e01e5a",
  "process-cancelled": "#888888",
  "process-failed": "#e01e5a",
  "process-expired": "#888888",
  "process-withdrawn": "#888888",
  "execution-running": "#1264a3",
  "execution-waiting": "#2196f3",
  "execution-question": "#2196f3",
  "execution-unknown": "#2196f3",
  "execution-stopping": "#f2c744",
  "execution-blocked": "#e8912d",
  "execution-completed": "#36a64f",
  "execution-failed": "#e01e5a",
  "execution-cancelled": "#888888",
  "ask-step": "#2196f3",
  "ask-long-arguments": "#2196f3",
  "ask-unplanned-tool": "#2196f3",
  "ask-call": "#2196f3",
  "ask-question": "#2196f3",
  "ask-outcome": "#2196f3",
  "ask-merge": "#2196f3",
  "ask-merge-conflict": "#2196f3",
  "ask-merge-approved": "#36a64f",
  "ask-approved": "#36a64f",
  "ask-rejected": "#e01e5a",
  "ask-answered": "#36a64f",
  "ask-resolved": "#36a64f",
  "ask-expired": "#888888",
  "ask-withdrawn": "#888888",
  "group-running": "#1264a3",
  "group-stopping": "#f2c744",
  "group-completed": "#36a64f",
  "group-failed": "#e01e5a",
  "group-stopped": "#888888",
};

test("the colour of every card follows its status, and every card has a fallback", () => {
  const seen = SAMPLES.flatMap(({ name, show }) => {
    const card = show("ja");
    return card.kind === "card" ? [{ name, message: card.message }] : [];
  });
  const colors = seen.map(({ name, message }) => [name, message.attachments[0].color]);
  expect(Object.fromEntries(colors)).toEqual(COLORS);
  for (const { message } of seen) {
    expect(Object.keys(message)).toEqual(["attachments"]);
    expect(message.attachments[0].fallback).not.toBe("");
  }
});

test("Japanese and English cards have the same blocks, buttons and colours", () => {
  expect(shapes("en")).toEqual(shapes("ja"));
});

test("English cards contain no Japanese", () => {
  const japanese = SAMPLES.filter(({ show }) =>
    /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u.test(JSON.stringify(show("en"))),
  );
  expect(japanese.map(({ name }) => name)).toEqual([]);
});

test("Slack gets no chance to turn names of others into mentions", () => {
  const view = { ...JA, taskId: "t", version: 1, decisionValue: "v" };
  const [, harmless] = promptCardPending({ ...view, content: "a" });
  const [, mentioning] = promptCardPending({ ...view, content: "@channel #general" });
  expect(harmless).toEqual({ type: "section", text: { type: "mrkdwn", text: "a" } });
  expect(mentioning).toEqual({
    type: "section",
    text: { type: "mrkdwn", text: "@channel #general", verbatim: true },
  });
});

test("a prompt that does not fit says where the rest is", () => {
  const view = { ...JA, taskId: "t", version: 1, decisionValue: "v", dashboardUrl: "http://d" };
  const note = "全文はダッシュボードで確認できます";
  expect(shown(promptCardPending({ ...view, content: "あ".repeat(3_000) }))).not.toContain(note);
  expect(shown(promptCardPending({ ...view, content: "あ".repeat(3_001) }))).toContain(note);
});

const CALL: CallAskView = {
  ...JA,
  kind: "step",
  tool: "sheets/write_rows",
  args: '{"a":1}',
  step: { order: 1, title: "書き込み" },
  fullTextIn: "snippet",
  decisionValue: "v1:apr-1:1",
  agent: null,
  taskId: null,
};

function types(view: CallAskView): readonly string[] {
  return askCardPending(view).map(({ type }) => type);
}

test("the buttons of a human check come before arguments that Slack could hide", () => {
  const args = JSON.stringify(
    Array.from({ length: 400 }, (_, index) => `row ${index}`),
    null,
    2,
  );
  expect(areArgumentsCut(CALL.args)).toBe(false);
  expect(areArgumentsCut(args)).toBe(true);
  expect(types(CALL)).toEqual(["header", "section", "section", "actions", "context"]);
  expect(types({ ...CALL, args })).toEqual([
    "header",
    "section",
    "actions",
    "section",
    "context",
    "context",
  ]);
  expect(shown(askCardPending({ ...CALL, args }))).toContain("スニペット");
});

test("an execution with many asks shows two with their buttons and counts the others", () => {
  const blocks = executionCardWaiting({
    ...JA,
    steps: stepsOf(40, () => "waiting_for_human"),
    cancelValue: "v",
    asks: Array.from({ length: 5 }, () => ({ ...CALL, args: '"x"'.repeat(1_000) })),
  });
  expect(blocks.filter(({ type }) => type === "actions")).toHaveLength(3);
  expect(shown(blocks)).toContain("…他 3 件");
  expect(checkBlocks(blocks)).toEqual([]);
});

test.each([
  [0, "plain_text_input"],
  [3, "radio_buttons"],
  [11, "static_select"],
])("the answer to a question with %i choices is given by %s", (count, type) => {
  const choices = Array.from({ length: count }, (_, index) => `choice ${index}`);
  const { blocks } = answerModal({ ...JA, metadata: "{}", question: "?", choices });
  expect(blocks.at(-1)).toMatchObject({ type: "input", element: { type } });
});

test("only the call of a step can be skipped after its rejection", () => {
  const view = { ...JA, metadata: "{}", tool: "t" };
  expect(callRejectionModal({ ...view, isStep: true }).blocks).toHaveLength(3);
  expect(callRejectionModal({ ...view, isStep: false }).blocks).toHaveLength(2);
});

test("the reason of a block is at most as long as the task takes it", () => {
  const { blocks } = blockModal({ ...JA, metadata: "{}", title: "x" });
  expect(blocks.at(-1)).toMatchObject({ element: { max_length: 2_000 } });
});

test("the App Home has at most 100 blocks, however much there is", () => {
  const task = { taskId: "t", title: "x", status: "in_progress", updatedAt: 0 } as const;
  const many = Array.from({ length: 300 }, () => task);
  const approvals = Array.from({ length: 300 }, () => ({
    kind: "prompt" as const,
    title: "x",
    askedAt: 0,
  }));
  const { blocks } = homeView({ ...JA, approvals, running: many, recent: many });
  expect(blocks.length).toBeLessThanOrEqual(100);
  expect(shown(blocks)).toContain("…他 280 件");
});

test("three prompts are suggested, of which Slack shows at most four", () => {
  expect(suggestedPrompts(JA)).toEqual([
    { title: "勤怠集計", message: "今月の勤怠をまとめて" },
    { title: "残業確認", message: "先月の残業時間を確認して" },
    { title: "従業員一覧", message: "従業員一覧を取得して" },
  ]);
});

test("the fallback of a card has no mention", () => {
  const [{ fallback }] = wrapCard([], "running", "<!channel>\n*x*").attachments;
  expect(fallback).toBe("&lt;!channel&gt; ∗x∗");
});

test("a modal asks for an empty reason or answer in the language of the person", () => {
  expect(missingInputText("ja", "reason")).toBe("理由を入力してください。");
  expect(missingInputText("en", "answer")).toBe("Please enter an answer.");
});
