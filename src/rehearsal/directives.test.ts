import { expect, test } from "vitest";
import { parseDirectives } from "./directives.ts";

test.each([
  ["sleep 250", { verb: "sleep", ms: 250 }],
  ["say こんにちは 世界", { verb: "say", text: "こんにちは 世界" }],
  ["deltas 3", { verb: "deltas", count: 3 }],
  ["write a/b.txt two words", { verb: "write", path: "a/b.txt", text: "two words" }],
  ["write empty.txt", { verb: "write", path: "empty.txt", text: "" }],
  ["edit a.txt more", { verb: "edit", path: "a.txt", text: "more" }],
  ['tool list_roles {"a": 1}', { verb: "tool", name: "list_roles", json: '{"a": 1}' }],
  ["tool list_roles", { verb: "tool", name: "list_roles", json: "{}" }],
  ["report failure できない", { verb: "report", status: "failure", summary: "できない" }],
  ["no-report", { verb: "no-report" }],
  ["fail out of luck", { verb: "fail", text: "out of luck" }],
  ["exit 3", { verb: "exit", code: 3 }],
  ["crash", { verb: "crash" }],
  ["garbage 2", { verb: "garbage", count: 2 }],
  ["stderr oh no", { verb: "stderr", text: "oh no" }],
  ["stderr-flood 1000", { verb: "stderr-flood", bytes: 1_000 }],
  ["ignore-term", { verb: "ignore-term" }],
  ["grandchild 500", { verb: "grandchild", ms: 500 }],
  ["hang", { verb: "hang" }],
  ["listen 300", { verb: "listen", ms: 300 }],
  ["child say やあ 世界", { verb: "child", rest: "say やあ 世界" }],
  ["child child hang", { verb: "child", rest: "child hang" }],
  ["iterations 3", { verb: "iterations", count: 3 }],
  ["same", { verb: "same" }],
  ["no-ledger", { verb: "no-ledger" }],
  ["linger 10", { verb: "linger", ms: 10 }],
  ["retry-for 10", { verb: "retry-for", ms: 10 }],
  ["long-line 4096", { verb: "long-line", bytes: 4_096 }],
  ["usage 1 2", { verb: "usage", inputTokens: 1, outputTokens: 2 }],
  ["echo-prompt out file.txt", { verb: "echo-prompt", path: "out file.txt" }],
  ["wait-for /tmp/go", { verb: "wait-for", path: "/tmp/go" }],
  ["in executor sleep 5", { verb: "in", role: "executor", what: { verb: "sleep", ms: 5 } }],
  [
    "in process-designer answer { no JSON",
    { verb: "in", role: "process-designer", what: { verb: "answer", text: "{ no JSON" } },
  ],
  ["before step-3 crash", { verb: "before", step: "step-3", what: { verb: "crash" } }],
  ["after step-12 say a b", { verb: "after", step: "step-12", what: { verb: "say", text: "a b" } }],
  [
    "first in planner fail x",
    { verb: "first", what: { verb: "in", role: "planner", what: { verb: "fail", text: "x" } } },
  ],
  ["check step-4", { verb: "check", step: "step-4" }],
  ["uncheck step-4", { verb: "uncheck", step: "step-4" }],
  ["steps a, hr/b,agent:c", { verb: "steps", tools: ["a", "hr/b", "agent:c"] }],
  ['arg step-4.a.b {"c": [1]}', { verb: "arg", step: "step-4", name: "a.b", value: { c: [1] } }],
  ["arg step-4.a null", { verb: "arg", step: "step-4", name: "a", value: null }],
])("#rehearsal %s is parsed", (line, expected) => {
  expect(parseDirectives(`#rehearsal ${line}\r\n`)).toEqual([expected]);
});

test.each([
  "#rehearsal",
  "#rehearsal dance",
  "#rehearsal sleep",
  "#rehearsal sleep -1",
  "#rehearsal sleep 1s",
  "#rehearsal exit 256",
  "#rehearsal report perhaps so",
  "#rehearsal report success",
  "#rehearsal usage 1",
  "#rehearsal crash now",
  "#rehearsal child",
  "#rehearsal child dance",
  "#rehearsal child sleep soon",
  "#rehearsal iterations 0",
  "#rehearsal same again",
  "#rehearsal answer x",
  "#rehearsal in",
  "#rehearsal in planner",
  "#rehearsal in planner dance",
  "#rehearsal in nobody sleep 1",
  "#rehearsal in executor answer x",
  "#rehearsal in executor check step-1",
  "#rehearsal before 3 crash",
  "#rehearsal before step-0 crash",
  "#rehearsal before step-3",
  "#rehearsal before step-3 no-report",
  "#rehearsal before step-3 after step-4 crash",
  "#rehearsal first sleep 1",
  "#rehearsal first first check step-1",
  "#rehearsal check step-4 now",
  "#rehearsal steps",
  "#rehearsal steps a,,b",
  "#rehearsal arg step-4 1",
  "#rehearsal arg step-4. 1",
  "#rehearsal arg step-4.a b",
])("%s is reported as an unknown directive", (line) => {
  expect(parseDirectives(line)).toEqual([{ verb: "unknown", line }]);
});

test("only complete lines are directives, and their order is kept", () => {
  const text =
    "する\n#rehearsal say 1\n 「#rehearsal say 2」\n  #rehearsal say 3\n#rehearsals\n#rehearsal hang";

  expect(parseDirectives(text)).toEqual([{ verb: "say", text: "1" }, { verb: "hang" }]);
});
