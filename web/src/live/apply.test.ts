import { expect, test } from "vitest";
import type { WireEvent } from "../../../src/contract/live.ts";
import { anAgentCard, aWireApproval, aWireGroup, aWireTask } from "../../../test/kit/wire.ts";
import { applyEvents } from "./apply.ts";
import { type LiveStore, useLive } from "./store.ts";

const AT = "2026-11-15T12:00:00.000Z";

function aState(over: Partial<LiveStore> = {}): LiveStore {
  return { ...useLive.getInitialState(), ...over };
}

function event(type: string, data: WireEvent["data"]): WireEvent {
  return { seq: 1, type, data: { at: AT, ...data } };
}

test("a created agent is queued; the same event again changes nothing", () => {
  const created = event("agent:created", { agentId: "a-1", groupId: "grp-1", role: "research" });
  const { agents } = applyEvents(aState(), [created]);

  expect(agents?.get("a-1")).toMatchObject({ role: "research", status: "queued", createdAt: AT });
  expect(applyEvents(aState(agents && { agents }), [created])).toEqual({});
});

test("an agent starts with its first status other than queued and ends when it is completed", () => {
  const agent = anAgentCard({ agentId: "a-1", status: "queued" });
  const agents = new Map([["a-1", agent]]);
  const update = (data: WireEvent["data"]) =>
    event("agent:status_update", { agentId: "a-1", ...data });

  const queued = applyEvents(aState({ agents }), [update({ status: "queued" })]);
  expect(queued.agents?.get("a-1")).toMatchObject({ startedAt: null, endedAt: null });
  const running = applyEvents(aState({ agents }), [update({ status: "running" })]);
  expect(running.agents?.get("a-1")).toMatchObject({ startedAt: AT, endedAt: null });
  const ended = applyEvents(aState({ agents }), [
    event("agent:completed", { agentId: "a-1", status: "failed", duration_ms: 7 }),
  ]);
  expect(ended.agents?.get("a-1")).toMatchObject({ status: "failed", endedAt: AT, elapsed_ms: 7 });
});

test("a reported result gives its own status, not the status of the report", () => {
  const agents = new Map([["a-1", anAgentCard({ agentId: "a-1" })]]);
  const { agents: after } = applyEvents(aState({ agents }), [
    event("agent:result_reported", { agentId: "a-1", status: "failed" }),
  ]);
  expect(after?.get("a-1")?.status).toBe("resultReported");
});

test("tables without a change keep their identity, so that their readers do not render", () => {
  const state = aState({ groups: new Map([["grp-1", aWireGroup("grp-1")]]) });

  expect(applyEvents(state, [event("agent:status_update", { agentId: "unknown" })])).toEqual({});
  expect(Object.keys(applyEvents(state, [event("group:deleted", { groupId: "grp-1" })]))).toEqual([
    "groups",
  ]);
});

test("a deleted group stays in view, marked as deleted", () => {
  const groups = new Map([["grp-1", aWireGroup("grp-1")]]);
  const after = applyEvents(aState({ groups }), [event("group:deleted", { groupId: "grp-1" })]);
  expect(after.groups?.get("grp-1")).toMatchObject({ status: "deleted", deletedAt: AT });
});

test("a task changes only by a newer version", () => {
  const tasks = new Map([["task-1", aWireTask({ version: 3 })]]);
  const update = (version: number) =>
    applyEvents(aState({ tasks }), [
      event("task:updated", { taskId: "task-1", version, status: "blocked" }),
    ]).tasks?.get("task-1")?.status;

  expect(update(3)).toBeUndefined();
  expect(update(4)).toBe("blocked");
});

test.for(["approval:decided", "approval:expired", "approval:closed"])(
  "%s takes the approval away and tells how many are pending",
  (type) => {
    const approvals = new Map([["apr-1", aWireApproval()]]);
    const after = applyEvents(aState({ approvals, pendingApprovals: 5 }), [
      event(type, { approvalId: "apr-1", pending: 4 }),
    ]);
    expect(after.approvals?.size).toBe(0);
    expect(after.pendingApprovals).toBe(4);
  },
);
