import { describe, expect, test } from "vitest";
import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import { anAgentCard, aWireGroup } from "../../../../../test/kit/wire.ts";
import { sectionsOf } from "../../../live/sections.ts";
import { stagesOf } from "../../../live/stages.ts";
import { isInView, orderGroups, rowsOf } from "./group-rows.ts";

const agentsOf = (...agents: readonly AgentCard[]) =>
  new Map(agents.map((agent) => [agent.agentId, agent]));
const groupsOf = (...groups: readonly WireGroup[]) =>
  new Map(groups.map((group) => [group.groupId, group]));

describe("the sections of the dashboard", () => {
  test("stay the same object after a new message of an agent, but not after a new status", () => {
    const one = anAgentCard();
    const before = sectionsOf(agentsOf(one));
    expect(sectionsOf(agentsOf({ ...one, lastMessage: "new", toolCallCount: 9 }))).toBe(before);
    expect(sectionsOf(agentsOf({ ...one, status: "failed" }))).not.toBe(before);
  });

  test("keep the objects of other groups after a change in one group", () => {
    const [one, other] = [anAgentCard(), anAgentCard({ groupId: "grp-2" })];
    const before = sectionsOf(agentsOf(one, other));
    const after = sectionsOf(agentsOf({ ...one, status: "completed" }, other));
    expect(after.get("grp-2")).toBe(before.get("grp-2"));
    expect(after.get("grp-1")).toMatchObject({ live: 0, done: 1, total: 1 });
  });

  test("sort agents by stage, then by age", () => {
    const late = anAgentCard({ stageIndex: 1 });
    const early = anAgentCard({ stageIndex: 0 });
    expect(sectionsOf(agentsOf(late, early)).get("grp-1")?.agentIds).toEqual([
      early.agentId,
      late.agentId,
    ]);
  });
});

test("the dashboard lists groups newest first, each followed by its child groups, and unknown groups last", () => {
  const groups = groupsOf(
    aWireGroup("old"),
    aWireGroup("child", { parentGroupId: "old" }),
    aWireGroup("new", { createdAt: "2026-02-01T00:00:00Z" }),
    aWireGroup("orphan", { parentGroupId: "gone", createdAt: "2025-01-01T00:00:00Z" }),
  );
  const sections = sectionsOf(agentsOf(anAgentCard({ groupId: "unknown" })));
  expect(orderGroups(groups, sections).map(({ groupId }) => groupId)).toEqual([
    "new",
    "old",
    "child",
    "orphan",
    "unknown",
  ]);
});

test.each([
  ["running", true, false],
  ["queued", true, false],
  ["failed", false, true],
  ["timedOut", false, true],
  ["lost", false, true],
  ["resultReported", false, false],
] as const)(
  "a group of one %s agent: active %s, needs attention %s",
  (status, active, attention) => {
    const sections = sectionsOf(agentsOf(anAgentCard({ status })));
    const [entry] = orderGroups(groupsOf(aWireGroup("grp-1")), sections);
    if (!entry) throw new Error("There is no group.");
    const nobody = new Set<string>();
    expect(isInView(entry, "active", nobody)).toBe(active);
    expect(isInView(entry, "attention", nobody)).toBe(attention);
    expect(isInView(entry, "attention", new Set(["grp-1"]))).toBe(true);
    expect(isInView(entry, "all", nobody)).toBe(true);
  },
);

test("an open group has rows for its head, its cards and its foot; a folded one only its head", () => {
  const sections = sectionsOf(agentsOf(anAgentCard(), anAgentCard(), anAgentCard()));
  const entries = orderGroups(groupsOf(aWireGroup("grp-1")), sections);
  expect(rowsOf(entries, new Map(), 2).map(({ kind }) => kind)).toEqual([
    "head",
    "agents",
    "agents",
    "foot",
  ]);
  expect(rowsOf(entries, new Map([["grp-1", false]]), 2).map(({ kind }) => kind)).toEqual(["head"]);
});

test("the orchestrator of a group is in the line above the cards, not among them", () => {
  const orchestrator = anAgentCard({ role: "orchestrator" });
  const group = aWireGroup("grp-1", {
    mode: "magentic",
    orchestratorAgentId: orchestrator.agentId,
    magentic: {
      maxIterations: 10,
      iterations: 0,
      stalls: 0,
      availableRoles: [],
      ledger: { task: null, progress: null },
    },
  });
  const entries = orderGroups(groupsOf(group), sectionsOf(agentsOf(orchestrator)));
  expect(rowsOf(entries, new Map(), 4).map(({ kind }) => kind)).toEqual(["head", "lead", "foot"]);
});

test.each([
  [["queued", "queued"], "queued"],
  [["completed", "queued"], "running"],
  [["running"], "running"],
  [["resultReported", "failed"], "failed"],
  [["cancelled", "cancelled"], "cancelled"],
  [["resultReported", "completed"], "completed"],
  [[], "queued"],
] as const)("a stage of %j is %s", (statuses, expected) => {
  const agents = agentsOf(...statuses.map((status) => anAgentCard({ status, stageIndex: 0 })));
  expect(stagesOf([...agents.keys()], 1, agents)[0]?.status).toBe(expected);
});
