import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { WireEvent } from "../../../src/contract/events/events.ts";
import { anAgentCard, aWireGroup } from "../../../test/kit/wire.ts";
import { createRefetch } from "./refetch.ts";
import { applyToStore, useLive } from "./store.ts";

const AT = "2026-11-15T12:00:00.000Z";

let seq = 0;
type EventOf<Type extends WireEvent["type"]> = Extract<WireEvent, { type: Type }>;
type DataOf<Type extends WireEvent["type"]> = Omit<EventOf<Type>["data"], "at">;

const left = (agentIds: string[]): WireEvent => ({
  seq: ++seq,
  type: "agent:left_view",
  data: { at: AT, agentIds },
});
const ofGroup = (type: "group:left_view" | "group:deleted", groupId: string): WireEvent => ({
  seq: ++seq,
  type,
  data: { at: AT, groupId },
});

beforeEach(() => {
  useLive.setState({
    groups: new Map([["grp-1", aWireGroup("grp-1")]]),
    agents: new Map([
      ["a-1", anAgentCard({ agentId: "a-1" })],
      ["a-2", anAgentCard({ agentId: "a-2" })],
    ]),
  });
});

test("agents that left the view are removed from the live state, and the others stay", () => {
  applyToStore([left(["a-1", "a-unknown"])]);

  expect([...useLive.getState().agents.keys()]).toEqual(["a-2"]);
});

test("a group that left the view is removed from the live state with its agents", () => {
  applyToStore([ofGroup("group:left_view", "grp-1")]);

  expect([...useLive.getState().groups.keys()]).toEqual([]);
  expect([...useLive.getState().agents.keys()]).toEqual([]);
});

test("a group that is deleted while it is loaded does not come back into the live state", async () => {
  const asked = new Set<string>();
  const real = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = real));
  const answered = Promise.withResolvers<Response>();
  globalThis.fetch = async (input) => {
    const id = typeof input === "string" ? input.replace(/.*\//, "") : "";
    asked.add(id);
    return id === "grp-2" ? answered.promise : anAnswer(id);
  };
  const take = createRefetch(new QueryClient());
  const deleted = [ofGroup("group:deleted", "grp-2"), ofGroup("group:left_view", "grp-2")];

  applyToStore(created("grp-2"));
  take(created("grp-2"));
  await expect.poll(() => [...asked]).toEqual(["grp-2"]);
  applyToStore(deleted);
  take([...deleted, ...created("grp-3")]);
  answered.resolve(anAnswer("grp-2"));

  // Answers are used one after the other, so the first one has been used by then.
  await expect.poll(() => [...useLive.getState().groups.keys()]).toEqual(["grp-1", "grp-3"]);
});

function created(groupId: string): WireEvent[] {
  const data = { at: AT, groupId, description: "x", mode: "concurrent" } as const;
  return [{ seq: ++seq, type: "group:created", data }];
}

function anAnswer(groupId: string): Response {
  const rest = { agents: [], totalAgents: 0, nextCursor: null, usage: [] };
  return Response.json({ ...aWireGroup(groupId), ...rest });
}

test("a status update sets the tool in use, and removes it when there is none any more", () => {
  const tool = { name: "shell", startedAt: AT };
  const last = { name: "read", ok: false, output: "no such file" };
  const update = (data: Omit<DataOf<"agent:status_update">, "agentId" | "status">) => {
    const type = "agent:status_update";
    applyToStore([
      { seq: ++seq, type, data: { at: AT, agentId: "a-1", status: "running", ...data } },
    ]);
  };
  const seen = () => useLive.getState().agents.get("a-1");

  update({ currentTool: tool, lastTool: last, promptSentAt: AT });
  expect(seen()).toMatchObject({ currentTool: tool, lastTool: last, promptSentAt: AT });
  update({ toolCallCount: 2 });
  expect(seen()).toMatchObject({ currentTool: tool, lastTool: last });
  update({ currentTool: null, lastTool: last });
  expect(seen()).toMatchObject({ currentTool: null, lastTool: last });
});

test("an event of a workspace makes its change stale under every id that it is read by", async () => {
  const client = new QueryClient();
  client.setQueryData(["change", "impl-code-1-beef", "newest"], {
    workspace: { workspaceId: "ws-1" },
  });
  client.setQueryData(["change", "impl-code-2-beef", "newest"], {
    workspace: { workspaceId: "ws-2" },
  });
  client.setQueryData(["workspace", "overlaps"], { overlaps: [] });
  const isStale = (...key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
  const take = createRefetch(client);

  // The agent of the event continues the work of impl-code-1-beef.
  const data = {
    at: AT,
    agentId: "impl-code-3-beef",
    workspaceId: "ws-1",
    commentId: "c",
    by: "local",
  };
  take([{ seq: ++seq, type: "change:commented", data }]);

  await expect.poll(() => isStale("change", "impl-code-1-beef", "newest")).toBe(true);
  expect(isStale("workspace", "overlaps")).toBe(true);
  expect(isStale("change", "impl-code-2-beef", "newest")).toBe(false);
});
