import { expect, test } from "vitest";
import { anAgentCard, aWireGroup } from "../../../../../test/kit/wire.ts";
import { magenticGraph, stageGraph } from "./graph-model.ts";

test("in a stage graph every agent of a stage leads to the next stage", () => {
  const agents = [
    anAgentCard({ agentId: "a", stageIndex: 0, status: "completed" }),
    anAgentCard({ agentId: "b", stageIndex: 0, status: "running" }),
    anAgentCard({ agentId: "c", stageIndex: 1, status: "queued" }),
  ];
  const group = {
    ...aWireGroup("grp-1", { stages: { total: 2, current: 0, onFailure: "stop" } }),
    agents,
    totalAgents: 3,
    nextCursor: null,
    usage: [],
  };

  const { nodes, edges } = stageGraph(group, agents);

  expect(nodes.map(({ id }) => id)).toEqual(["stage 0", "a", "b", "stage 1", "c"]);
  expect(nodes[0]).toMatchObject({ status: "running", note: "1/2" });
  expect(edges).toEqual([
    { from: "stage 0", to: "a", isLive: false },
    { from: "stage 0", to: "b", isLive: true },
    { from: "a", to: "stage 1", isLive: false },
    { from: "b", to: "stage 1", isLive: true },
    { from: "stage 1", to: "c", isLive: false },
  ]);
});

test("in a magentic graph the orchestrator leads to its groups and these to their agents", () => {
  const orchestrator = anAgentCard({ agentId: "o" });
  const done = anAgentCard({ agentId: "w", groupId: "grp-2", status: "resultReported" });
  const busy = anAgentCard({ agentId: "v", groupId: "grp-2" });

  const { nodes, edges } = magenticGraph([orchestrator], [aWireGroup("grp-2")], [done, busy]);

  expect(nodes.map(({ id }) => id)).toEqual(["o", "grp-2", "w", "v"]);
  expect(nodes[1]).toMatchObject({ note: "1/2" });
  expect(edges).toEqual([
    { from: "o", to: "grp-2", isLive: true },
    { from: "grp-2", to: "w", isLive: false },
    { from: "grp-2", to: "v", isLive: true },
  ]);
});
