import { expect, test } from "vitest";
import {
  analysisAnswer,
  designAnswer,
  planAnswer,
  readAnswer,
  readJsonAnswer,
} from "./drafting-answers.ts";

const ANSWER = { content: 'まず { を、次に } を数える。"引用" も \\ もある。' };

test.each([
  ["alone", (json: string) => json],
  ["with blank lines around it", (json: string) => `\n\n ${json}\n`],
  ["in a fence", (json: string) => `\`\`\`json\n${json}\n\`\`\``],
  [
    "in a fence with words around it",
    (json: string) => `方針です。\n\`\`\`\n${json}\n\`\`\`\n以上です。`,
  ],
  ["after thinking aloud", (json: string) => `{"content": "草案"} では弱いので、\n${json}`],
  ["after a stray brace and a quote", (json: string) => `{ で始まる "もの:\n${json}`],
  ["before braces that are no JSON", (json: string) => `${json}\n{title} は {省略} しました。`],
])("the object is found %s", (_name, around) => {
  expect(readJsonAnswer(around(JSON.stringify(ANSWER)))).toEqual(ANSWER);
});

test.each([
  ["nothing", ""],
  ["words", "できませんでした。"],
  ["a list", "[1, 2]"],
  ["an empty object", "{}"],
  ["an object with a comma too many", '{"steps": [{"title": "a"},]}'],
  ["half an object", '{"content": "途中で'],
])("%s is no answer", (_name, words) => {
  expect(readJsonAnswer(words)).toBeUndefined();
  expect(readAnswer(planAnswer, words)).toEqual({
    errors: [expect.stringContaining("JSON object")],
  });
});

test("a long text full of beginnings is given up, not looked at from each of them", () => {
  // Quadratic, this would take minutes.
  expect(readJsonAnswer('{"'.repeat(500_000))).toBeUndefined();
  expect(readJsonAnswer("{ ".repeat(500_000))).toBeUndefined();
});

test("what is wrong is said with its place", () => {
  const words = JSON.stringify({ title: "", description: "d", priority: "urgent", type: "x" });

  expect(readAnswer(analysisAnswer, words)).toEqual({
    errors: [expect.stringMatching(/^title: /), expect.stringMatching(/^priority: /)],
  });
});

test("a type of more than 30 characters is sent back", () => {
  const words = JSON.stringify({
    title: "t",
    description: "d",
    priority: "low",
    type: "あ".repeat(31),
  });

  expect(readAnswer(analysisAnswer, words)).toEqual({ errors: [expect.stringMatching(/^type: /)] });
});

test("a title is one line, and members nobody asked for are left out", () => {
  const words = JSON.stringify({
    title: " 残業の\n集計 ",
    description: "d",
    priority: "low",
    type: "集計",
    confidence: 0.9,
  });

  expect(readAnswer(analysisAnswer, words)).toEqual({
    answer: { title: "残業の 集計", description: "d", priority: "low", type: "集計" },
  });
});

test("steps come in their own order where all of them say it", () => {
  const step = { tool: "s/t", requiresHumanCheck: false };
  const words = JSON.stringify({
    steps: [
      { ...step, title: "後", order: 2 },
      { ...step, title: "先", order: 1 },
    ],
  });

  expect(readAnswer(designAnswer, words)).toEqual({
    answer: {
      steps: [
        { ...step, title: "先" },
        { ...step, title: "後" },
      ],
    },
  });
});

test("a step that does not say whether a person must check it is sent back", () => {
  const words = JSON.stringify({ steps: [{ title: "書く", tool: "s/t" }] });

  expect(readAnswer(designAnswer, words)).toEqual({
    errors: [expect.stringMatching(/^steps\.0\.requiresHumanCheck: /)],
  });
});
