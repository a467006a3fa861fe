import { expect, test } from "vitest";
import { readJsonAnswer } from "./json-answer.ts";

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
])("readJsonAnswer finds the object %s", (_name, around) => {
  expect(readJsonAnswer(around(JSON.stringify(ANSWER)))).toEqual(ANSWER);
});

test.each([
  ["nothing", ""],
  ["words", "できませんでした。"],
  ["a list", "[1, 2]"],
  ["an empty object", "{}"],
  ["an object with a comma too many", '{"steps": [{"title": "a"},]}'],
  ["half an object", '{"content": "途中で'],
])("readJsonAnswer finds no answer in %s", (_name, words) => {
  expect(readJsonAnswer(words)).toBeUndefined();
});

test("a long text of unmatched braces is given up after a few scans", () => {
  // In quadratic time this would take minutes.
  expect(readJsonAnswer('{"'.repeat(500_000))).toBeUndefined();
  expect(readJsonAnswer("{ ".repeat(500_000))).toBeUndefined();
});
