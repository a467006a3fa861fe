import { expect, test } from "vitest";
import { findFragments } from "../../scripts/writing-rules.ts";

const reasons = (file: string, source: string) =>
  findFragments(file, source).map(({ line, reason }) => `${line} ${reason}`);

test.each([
  ["// Of a task that has ended.", 'a fragment that begins with "Of"'],
  ["/** For whom it waits. */", "a fragment without a subject"],
  ["/** Who asks twice gets one answer. */", '"who" as the subject'],
  ["const a = 1; // whoever comes first", '"whoever"'],
  ["{/* Nobody looks at it. */}", '"nobody" or "somebody"'],
  ["// The agent is told to stop.", '"is told"'],
  ["/** The shapes of a result (seed 6.1). */", "the seed"],
  ['test("of several rows the newest is read", () => {', 'a fragment that begins with "Of"'],
])("the writing check flags %s", (source, reason) => {
  expect(reasons("a.ts", source)).toEqual([`1 ${reason}`]);
});

test.each([
  "// Of course the row may be gone.",
  "// Who may decide?",
  "// A person who signs in.",
  "// The user `nobody` owns it.",
  'const url = "http://nobody.example";',
  'const text = "nobody";',
  "// A random seed makes a failure repeatable.",
])("the writing check accepts %s", (source) => {
  expect(reasons("a.ts", source)).toEqual([]);
});

test("the writing check names the line of a sentence inside a longer comment", () => {
  const source = [
    "/**",
    " * The row decides. The rest is",
    " * read again. Nobody",
    " * waits.",
    " */",
  ];

  expect(findFragments("a.ts", source.join("\n"))).toEqual([
    { line: 3, sentence: "Nobody waits.", reason: '"nobody" or "somebody"' },
  ]);
});

test("the writing check reads the prose of a document, not its code and headings", () => {
  const source = ["# Who decides", "", "```", "nobody", "```", "- Whoever it is.", "| Of a | b |"];

  expect(reasons("a.md", source.join("\n"))).toEqual([
    '6 "whoever"',
    '7 a fragment that begins with "Of"',
  ]);
});
