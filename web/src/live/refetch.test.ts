import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { WireEvent } from "../../../src/contract/live.ts";
import { anAgentCard, aWireGroup } from "../../../test/kit/wire.ts";
import { createRefetch } from "./refetch.ts";
import { applyToStore, useLive } from "./store.ts";

const AT = "2026-11-15T12:00:00.000Z";

let seq = 0;
function event(type: string, data: WireEvent["data"]): WireEvent {
  return { seq: ++seq, type, data: { at: AT, ...data } };
}

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
  applyToStore([event("agent:left_view", { agentIds: ["a-1", "a-unknown"] })]);

  expect([...useLive.getState().agents.keys()]).toEqual(["a-2"]);
});

test("a group that left the view is removed from the live state with its agents", () => {
  applyToStore([event("group:left_view", { groupId: "grp-1" })]);

  expect([...useLive.getState().groups.keys()]).toEqual([]);
  expect([...useLive.getState().agents.keys()]).toEqual([]);
});

test("a group that is deleted while it is loaded does not come back into the live state", async () => {
  const asked = new Set<string>();
  const real = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = real));
  const answered = Promise.withResolvers<Response>();
  globalThis.fetch = async (input) => {
    if (typeof input === "string") asked.add(input);
    return answered.promise;
  };
  const take = createRefetch(new QueryClient());
  const created = [event("group:created", { groupId: "grp-2" })];
  const deleted = [
    event("group:deleted", { groupId: "grp-2" }),
    event("group:left_view", { groupId: "grp-2" }),
  ];

  applyToStore(created);
  take(created);
  await expect.poll(() => [...asked]).toEqual(["/api/groups/grp-2"]);
  applyToStore(deleted);
  take(deleted);
  answered.resolve(Response.json(aWireGroup("grp-2")));
  await answered.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));

  expect([...useLive.getState().groups.keys()]).toEqual(["grp-1"]);
});

test("a status update sets the tool in use, and removes it when there is none any more", () => {
  const tool = { name: "shell", startedAt: AT };
  const last = { name: "read", ok: false, output: "no such file" };
  const update = (data: WireEvent["data"]) =>
    applyToStore([event("agent:status_update", { agentId: "a-1", ...data })]);
  const seen = () => useLive.getState().agents.get("a-1");

  update({ currentTool: tool, lastTool: last, promptSentAt: AT });
  expect(seen()).toMatchObject({ currentTool: tool, lastTool: last, promptSentAt: AT });
  update({ toolCallCount: 2 });
  expect(seen()).toMatchObject({ currentTool: tool, lastTool: last });
  update({ currentTool: null, lastTool: last });
  expect(seen()).toMatchObject({ currentTool: null, lastTool: last });
});
