import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOCALES } from "../domain/locale.ts";
import { auditFields } from "./audit-fields.ts";
import { auditSentence } from "./audit-words.ts";

const blocked = {
  actor: "local",
  action: "task.blocked",
  subject: "task-1",
  data: { reason: "列が変わるため", agents: ["executor-1-0001", "research-1-0002"] },
};

test("auditSentence says who blocked a task, and why, in both languages", () => {
  expect(auditSentence(blocked, "ja")).toBe(
    "あなた (local) がタスクをブロックしました: 列が変わるため（エージェント 2 体に通知）",
  );
  expect(auditSentence(blocked, "en")).toBe(
    "You (local) blocked the task: 列が変わるため (2 agents notified)",
  );
  const one = { ...blocked, data: { agents: ["executor-1-0001"] } };
  expect(auditSentence(one, "en")).toBe("You (local) blocked the task (1 agent notified)");
});

test.for([
  [{ kind: "prompt", decision: "approve" }, "alice が実行方針を承認しました"],
  [
    { kind: "process", decision: "reject", reason: "10月分も" },
    "alice が実行ステップを却下しました: 10月分も",
  ],
  [
    { kind: "question", decision: "approve", choice: { answer: "赤" } },
    "alice がエージェントからの質問に答えました: 赤",
  ],
] as const)("auditSentence says what was decided: %j", ([data, sentence]) => {
  const entry = { actor: "alice", action: "approval.decided", subject: "apr-1", data };
  expect(auditSentence(entry, "ja")).toBe(sentence);
});

const call = (data: Record<string, unknown>) =>
  auditSentence(
    { actor: "agent:executor-1-0001", action: "tool.forwarded", subject: "c", data },
    "en",
  );

test("auditSentence tells a call of a tool from work for a role", () => {
  expect(call({ server: "hr", tool: "list" })).toBe(
    "Agent executor-1-0001 called the tool hr/list",
  );
  expect(call({ server: "", tool: "agent:research" })).toBe(
    "Agent executor-1-0001 handed work to the role research",
  );
});

test("auditSentence has words for every action that docs/spec.md lists", () => {
  const spec = readFileSync(new URL("../../docs/spec.md", import.meta.url), "utf8");
  const table = spec.split("\n## Audit\n")[1]?.split("\n## ")[0] ?? "";
  const actions = table.split("\n").flatMap((line) => {
    if (!line.startsWith("| `")) return [];
    let noun = "";
    return [...(line.split("|")[1] ?? "").matchAll(/`([a-z_]*)\.([a-z_]+)`/g)].map(
      ([, of = "", verb = ""]) => `${(noun = of || noun)}.${verb}`,
    );
  });
  expect(actions).toContain("task.unblocked");
  const missing = actions.filter((action) =>
    LOCALES.some((locale) =>
      auditSentence({ actor: "local", action, subject: "x", data: {} }, locale).includes(action),
    ),
  );
  expect(missing).toEqual([]);
});

test("an action of a later version is shown as it is", () => {
  const later = { actor: "local", action: "moon.shone", subject: "x", data: {} };
  expect(auditSentence(later, "ja")).toBe("あなた (local): moon.shone");
});

test("auditFields labels the data, opens the choice, and puts hashes last", () => {
  const data = {
    shownHash: "ab12",
    choice: { answer: null, onReject: "fail", scope: "once" },
    server: "",
    kind: "prompt",
    decision: "approve",
    reason: null,
  };
  expect(auditFields(data, "ja").map(({ label, values }) => [label, ...values])).toEqual([
    ["決定", "承認"],
    ["却下したとき", "失敗にする"],
    ["範囲", "今回だけ"],
    ["種類", "実行方針"],
    ["表示した内容のハッシュ", "ab12"],
  ]);
});

test("auditFields shows every member of a list, also of records", () => {
  const data = { agents: ["a-1", "b-2"], calls: [{ server: "hr", tool: "write" }] };
  expect(auditFields(data, "en")).toEqual([
    { name: "agents", label: "Agents to stop", values: ["a-1", "b-2"] },
    { name: "calls", label: "Cancelled calls", values: ["Server: hr · Tool: write"] },
  ]);
});
