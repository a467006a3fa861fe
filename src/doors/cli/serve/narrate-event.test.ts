import { expect, test } from "vitest";
import type { EventData } from "../../../contract/events/events.ts";
import type { AgentId, GroupId } from "../../../domain/ids.ts";
import { createStyle, PLAIN_STYLE } from "../screen/style.ts";
import { type Facts, narrateEvent, type NarratedEvent, type Narration } from "./narrate-event.ts";
import { NARRATION_TEXTS } from "./narration-texts.ts";

const EN: Narration = {
  texts: NARRATION_TEXTS.en,
  style: PLAIN_STYLE,
  url: "http://127.0.0.1:9696",
  timeOf: () => "12:34:56",
};
const JA: Narration = { ...EN, texts: NARRATION_TEXTS.ja };

const AGENT_ID: AgentId = "impl-code-1-abcd";
const GROUP_ID: GroupId = "grp-1";

const task: EventData<"task:updated"> = {
  taskId: "task-1",
  status: "analyzing",
  title: "Weekly report",
  priority: "medium",
  type: null,
  requester: "local",
  executionId: null,
  failure: null,
  version: 1,
};
const approval: EventData<"approval:requested"> = {
  approvalId: "apr-1",
  kind: "prompt",
  taskId: "task-1",
  executionId: null,
  stepId: null,
  status: "pending",
  title: "First draft",
  version: 1,
  pending: 1,
};
const columns = { at: 0, taskId: null, agentId: AGENT_ID, groupId: GROUP_ID };

const created = (request: string): NarratedEvent => ({
  ...columns,
  type: "task:created",
  data: { ...task, request, door: "web" },
});
const updated = (over: Partial<EventData<"task:updated">>): NarratedEvent => ({
  ...columns,
  type: "task:updated",
  data: { ...task, ...over },
});
const decided = (over: Partial<EventData<"approval:decided">>): NarratedEvent => ({
  ...columns,
  type: "approval:decided",
  data: { ...approval, status: "approved", by: "aoi", reason: null, ...over },
});
const ended = (data: EventData<"agent:completed">): NarratedEvent => ({
  ...columns,
  type: "agent:completed",
  data,
});
const byAoi: Facts = {
  task: { title: "Weekly report", request: "…", statusBy: "aoi", statusReason: "wrong week" },
};

test.each<readonly [string, NarratedEvent, Facts, string]>([
  [
    "asked",
    created("Write the report"),
    {},
    "+ Asked             Write the report  by you (local)",
  ],
  [
    "waiting for you",
    { ...columns, type: "approval:requested", data: approval },
    byAoi,
    "? Waiting for you   First draft  prompt · Weekly report",
  ],
  ["approved", decided({}), {}, "✓ Approved          First draft  prompt · by aoi"],
  [
    "rejected",
    decided({ status: "rejected", reason: "too long" }),
    {},
    "✗ Rejected          First draft  prompt · by aoi · too long",
  ],
  [
    "expired",
    { ...columns, type: "approval:expired", data: approval },
    {},
    "✗ Approval expired  First draft  prompt",
  ],
  [
    "running",
    updated({ status: "in_progress" }),
    { statusBefore: "awaiting_process_approval" },
    "▶ Running           Weekly report",
  ],
  [
    "blocked",
    updated({ status: "blocked" }),
    { ...byAoi, statusBefore: "in_progress" },
    "■ Blocked           Weekly report  by aoi · wrong week",
  ],
  [
    "unblocked",
    updated({ status: "in_progress" }),
    { ...byAoi, statusBefore: "blocked" },
    "▶ Unblocked         Weekly report  by aoi · wrong week",
  ],
  [
    "cancelled",
    updated({ status: "cancelled" }),
    byAoi,
    "■ Cancelled         Weekly report  by aoi · wrong week",
  ],
  ["completed", updated({ status: "completed" }), byAoi, "✓ Completed         Weekly report"],
  [
    "failed",
    updated({ status: "failed", failure: { stage: "execution", message: "no such file" } }),
    {},
    "✗ Failed            Weekly report  no such file",
  ],
  [
    "agent started",
    { ...columns, type: "agent:status_update", data: { status: "running" } },
    { role: "Coder" },
    "· Agent started     impl-code-1-abcd  Coder",
  ],
  [
    "agent finished",
    ended({ status: "completed", result: "success", duration_ms: 105_000 }),
    { role: "Coder" },
    "· Agent finished    impl-code-1-abcd  Coder · 1 min 45 s",
  ],
  [
    "agent failed",
    ended({ status: "failed", duration_ms: 15_200, error: "exit code 2" }),
    {},
    "✗ Agent failed      impl-code-1-abcd  15.2 s · exit code 2",
  ],
  ["agent stopped", ended({ status: "cancelled" }), {}, "■ Agent stopped     impl-code-1-abcd"],
])("the line of an event: %s", (_name, event, facts, line) => {
  const said = narrateEvent(event, facts, EN) ?? "";

  expect(said.slice(0, `12:34:56  ${line}`.length)).toBe(`12:34:56  ${line}`);
  const style = createStyle({ colors: false, links: true });
  const linked = narrateEvent(event, facts, { ...EN, style }) ?? "";
  expect(linked).toMatch(/;;http:\/\/127\.0\.0\.1:9696\/(?:tasks|approvals|agents)\/[\w-]+/);
});

test("the lines are in the language of the reader", () => {
  expect(narrateEvent(created("週報を書いて"), {}, JA)).toContain(
    "依頼              週報を書いて  あなた (local)",
  );
  expect(narrateEvent(ended({ status: "completed", duration_ms: 15_200 }), {}, JA)).toContain(
    "15.2 秒",
  );
});

test.each<readonly [string, NarratedEvent, Facts]>([
  ["a task is still analyzed", updated({ status: "analyzing" }), {}],
  ["a task keeps its status", updated({ status: "blocked" }), { statusBefore: "blocked" }],
  [
    "an agent goes back to the queue",
    { ...columns, type: "agent:status_update", data: { status: "queued" } },
    {},
  ],
])("no line is printed when %s", (_when, event, facts) => {
  expect(narrateEvent(event, facts, EN)).toBeUndefined();
});

test("a line does not repeat what its title says", () => {
  const data = { ...approval, title: "Prompt v1: Weekly report" };

  expect(narrateEvent({ ...columns, type: "approval:requested", data }, byAoi, EN)).toBe(
    "12:34:56  ? Waiting for you   Prompt v1: Weekly report  http://127.0.0.1:9696/approvals/apr-1",
  );
});

test("texts of people and agents cannot control the terminal or take a second line", () => {
  const said = narrateEvent(created("a\u001B[2Jb\nc\u202E"), {}, EN) ?? "";

  for (const hidden of ["\u001B", "\n", "\u202E"]) expect(said).not.toContain(hidden);
  expect(said).toContain(String.raw`\u{1B}`);
});

test("a terminal without links shows an address only where a person has something to open", () => {
  const done = updated({ status: "completed" });

  expect(narrateEvent(created("Write"), {}, EN)).not.toContain("http");
  expect(narrateEvent(done, { ...byAoi, statusBefore: "in_progress" }, EN)).toContain(
    "http://127.0.0.1:9696/tasks/",
  );
});

test("where the terminal shows links, the title is the link and the address is not printed", () => {
  const style = createStyle({ colors: false, links: true });

  expect(narrateEvent(created("Write"), {}, { ...EN, style })).toBe(
    "12:34:56  + Asked             \u001B]8;;http://127.0.0.1:9696/tasks/task-1\u001B\\Write\u001B]8;;\u001B\\  by you (local)",
  );
});
