import { expect, test } from "vitest";
import type { WireEvent } from "../../../src/contract/events/events.ts";
import { anAgentCard, aWireApproval, aWireGroup, aWireTask } from "../../../test/kit/wire.ts";
import { applyEvents } from "./apply.ts";
import { type LiveStore, useLive } from "./store.ts";

const AT = "2026-11-15T12:00:00.000Z";

function aState(over: Partial<LiveStore> = {}): LiveStore {
  return { ...useLive.getInitialState(), ...over };
}

const DELETED: WireEvent = { seq: 1, type: "group:deleted", data: { at: AT, groupId: "grp-1" } };

test("a created agent is queued; the same event again changes nothing", () => {
  const { groupId, role, model, runner, stageIndex } = anAgentCard({ role: "research" });
  const about = { at: AT, agentId: "a-1", groupId, role, model, runner, stageIndex };
  const created: WireEvent = {
    seq: 1,
    type: "agent:created",
    data: { ...about, status: "queued" },
  };
  const { agents } = applyEvents(aState(), [created]);

  expect(agents?.get("a-1")).toMatchObject({ role: "research", status: "queued", createdAt: AT });
  expect(applyEvents(aState(agents && { agents }), [created])).toEqual({});
});

test("an agent is degraded until it connects", () => {
  const about = { at: AT, agentId: "a-1", taskId: null };
  const degraded = { reason: "not-connected", message: "It runs, but …" } as const;
  const events: readonly WireEvent[] = [
    { seq: 1, type: "agent:degraded", data: { ...about, ...degraded } },
    { seq: 2, type: "agent:connected", data: about },
  ];
  const agents = new Map([["a-1", anAgentCard({ agentId: "a-1", status: "running" })]]);

  const after = applyEvents(aState({ agents }), events.slice(0, 1));
  expect(after.agents?.get("a-1")).toMatchObject({ degraded });
  expect(applyEvents(aState({ agents }), events).agents?.get("a-1")).not.toHaveProperty("degraded");
});

test("an agent that starts again without its conversation is queued and looks new", () => {
  const agent = anAgentCard({ agentId: "a-1", status: "running", startedAt: AT, lastMessage: "x" });
  const lost: WireEvent = {
    seq: 1,
    type: "agent:session_lost",
    data: { at: AT, agentId: "a-1", status: "queued", sessionId: "talk", taskId: null },
  };

  const { agents } = applyEvents(aState({ agents: new Map([["a-1", agent]]) }), [lost]);

  expect(agents?.get("a-1")).toMatchObject({ status: "queued", startedAt: null, lastMessage: "" });
  expect(applyEvents(aState(), [lost])).toEqual({});
});

test("an agent starts with its first status other than queued and ends when it is completed", () => {
  const agent = anAgentCard({ agentId: "a-1", status: "queued" });
  const agents = new Map([["a-1", agent]]);
  const update = (status: "queued" | "running"): WireEvent => ({
    seq: 1,
    type: "agent:status_update",
    data: { at: AT, agentId: "a-1", status },
  });

  const queued = applyEvents(aState({ agents }), [update("queued")]);
  expect(queued.agents?.get("a-1")).toMatchObject({ startedAt: null, endedAt: null });
  const running = applyEvents(aState({ agents }), [update("running")]);
  expect(running.agents?.get("a-1")).toMatchObject({ startedAt: AT, endedAt: null });
  const ended = applyEvents(aState({ agents }), [
    {
      seq: 1,
      type: "agent:completed",
      data: { at: AT, agentId: "a-1", status: "failed", duration_ms: 7 },
    },
  ]);
  expect(ended.agents?.get("a-1")).toMatchObject({ status: "failed", endedAt: AT, elapsed_ms: 7 });
});

test("a reported result gives its own status, not the status of the report", () => {
  const agents = new Map([["a-1", anAgentCard({ agentId: "a-1" })]]);
  const { agents: after } = applyEvents(aState({ agents }), [
    {
      seq: 1,
      type: "agent:result_reported",
      data: { at: AT, agentId: "a-1", status: "failure", summary: "" },
    },
  ]);
  expect(after?.get("a-1")?.status).toBe("resultReported");
});

test("tables without a change keep their identity, so that their readers do not render", () => {
  const state = aState({ groups: new Map([["grp-1", aWireGroup("grp-1")]]) });

  const unknown: WireEvent = {
    seq: 1,
    type: "agent:status_update",
    data: { at: AT, agentId: "unknown", status: "running" },
  };

  expect(applyEvents(state, [unknown])).toEqual({});
  expect(Object.keys(applyEvents(state, [DELETED]))).toEqual(["groups"]);
});

test("a deleted group stays in view, marked as deleted", () => {
  const groups = new Map([["grp-1", aWireGroup("grp-1")]]);
  const after = applyEvents(aState({ groups }), [DELETED]);
  expect(after.groups?.get("grp-1")).toMatchObject({ status: "deleted", deletedAt: AT });
});

test("a task changes only by a newer version", () => {
  const task = aWireTask({ version: 3 });
  const tasks = new Map([["task-1", task]]);
  const { groupId, taskId, title, priority, type, requester, executionId, failure } = task;
  const about = { at: AT, groupId, taskId, title, priority, type, requester, executionId, failure };
  const update = (version: number) =>
    applyEvents(aState({ tasks }), [
      { seq: 1, type: "task:updated", data: { ...about, version, status: "blocked" } },
    ]).tasks?.get("task-1")?.status;

  expect(update(3)).toBeUndefined();
  expect(update(4)).toBe("blocked");
});

const { agentId: _agent, ...APPROVAL } = aWireApproval();
const ABOUT = { ...APPROVAL, at: AT, pending: 4 };
const CLOSING: readonly WireEvent[] = [
  { seq: 1, type: "approval:decided", data: { ...ABOUT, by: "local", reason: null } },
  { seq: 1, type: "approval:expired", data: ABOUT },
  { seq: 1, type: "approval:closed", data: ABOUT },
];

test.for(CLOSING)(
  "$type takes the approval away and updates the number of pending ones",
  (event) => {
    const approvals = new Map([[ABOUT.approvalId, aWireApproval()]]);
    const after = applyEvents(aState({ approvals, pendingApprovals: 5 }), [event]);
    expect(after.approvals?.size).toBe(0);
    expect(after.pendingApprovals).toBe(4);
  },
);

test("an agent that was put back into the queue has nothing of its last attempt", () => {
  const agent = anAgentCard({
    agentId: "a-1",
    status: "running",
    startedAt: AT,
    toolCallCount: 2,
    lastMessage: "x",
  });
  const update: WireEvent = {
    seq: 1,
    type: "agent:status_update",
    data: { at: AT, agentId: "a-1", status: "queued" },
  };

  const { agents } = applyEvents(aState({ agents: new Map([["a-1", agent]]) }), [update]);

  expect(agents?.get("a-1")).toMatchObject({
    status: "queued",
    startedAt: null,
    toolCallCount: 0,
    lastMessage: "",
  });
});

test("an agent that was moved to another runner has its runner and model", () => {
  const agents = new Map([["a-1", anAgentCard({ agentId: "a-1", status: "queued" })]]);
  const update: WireEvent = {
    seq: 1,
    type: "agent:status_update",
    data: { at: AT, agentId: "a-1", status: "queued", runner: "codex", model: "gpt" },
  };

  expect(applyEvents(aState({ agents }), [update]).agents?.get("a-1")).toMatchObject({
    runner: "codex",
    model: "gpt",
  });
});

test("the problem of a runner is shown until the runner works again", () => {
  const problem: WireEvent = {
    seq: 1,
    type: "runner:problem",
    data: {
      at: AT,
      runner: "claude",
      kind: "quota",
      reason: "limit",
      since: Date.parse(AT),
      until: Date.parse(AT) + 1_000,
      resetKnown: true,
    },
  };
  const ready: WireEvent = { seq: 2, type: "runner:ready", data: { at: AT, runner: "claude" } };

  const { problems } = applyEvents(aState(), [problem]);
  expect(problems?.get("claude")).toMatchObject({
    kind: "quota",
    since: AT,
    until: "2026-11-15T12:00:01.000Z",
  });
  expect(applyEvents(aState(problems && { problems }), [ready]).problems?.size).toBe(0);
});
