import { expect, test } from "vitest";
import { z } from "zod";
import { explainIssues } from "./explain-issues.ts";

const shape = z.strictObject({
  status: z.enum(["open", "done"]),
  limit: z.number().max(10),
  steps: z.array(z.object({ title: z.string().min(2) })).min(1),
});

test.each([
  [
    "en",
    "status must be one of: open, done. limit must be at most 10. steps.0.title must have at least 2 characters. Unknown fields: x, y.",
  ],
  [
    "ja",
    "status には次のどれかを指定してください: open、done。 limit は 10 以下にしてください。 steps.0.title は 2 文字以上にしてください。 知らない項目があります: x、y。",
  ],
] as const)("invalid input is explained in %s with fields and choices", (locale, text) => {
  const { error } = shape.safeParse({ status: "?", limit: 11, steps: [{ title: "" }], x: 1, y: 2 });

  expect(error && explainIssues(error, locale)).toBe(text);
});

test.each([
  [undefined, "The input is missing (object).", "入力 がありません (型: object)。"],
  [
    { status: "open", steps: [] },
    "limit is missing (number). steps must have at least 1 entry.",
    "limit がありません (型: number)。 steps は 1 個以上にしてください。",
  ],
  [
    { status: "open", limit: "1", steps: [{ title: "ab" }] },
    "limit must be: number.",
    "limit の型が違います。number を指定してください。",
  ],
])("a missing or mistyped field in %j is named in both languages", (input, en, ja) => {
  const { error } = shape.safeParse(input);

  expect(error && explainIssues(error, "en")).toBe(en);
  expect(error && explainIssues(error, "ja")).toBe(ja);
});
