import { expect, test } from "vitest";
import { analysisAnswer, designAnswer, planAnswer, readAnswer } from "./drafting-answers.ts";

test("an answer without a JSON object is sent back", () => {
  expect(readAnswer(planAnswer, "できませんでした。")).toEqual({
    errors: [expect.stringContaining("JSON object")],
  });
});

test("each error of an answer names its path", () => {
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

test("a title is one line, and unknown members are ignored", () => {
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

test("steps are sorted by their order if all of them have one", () => {
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
