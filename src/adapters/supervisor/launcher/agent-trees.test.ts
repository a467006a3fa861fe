import { expect, test } from "vitest";
import type { Processes, ProcessRow } from "../processes/process-table.ts";
import { createAgentTrees } from "./agent-trees.ts";

/** `pid: [parent, session, mark]`; the launcher is this process, below the daemon 20. */
type Rows = Readonly<Record<number, readonly [parent: number, session?: number, mark?: string]>>;

function someTrees(first: Rows, protectedPids: readonly number[] = []) {
  let rows: Rows = {};
  const starts = new Map<number, number>();
  const processes: Processes = {
    table: () => new Map(Object.keys(rows).map((pid) => [Number(pid), aRow(Number(pid))] as const)),
    get: aRow,
    isStillThere: () => true,
    agentMark: (pid) => rows[pid]?.[2],
    isMentioned: () => false,
  };
  function aRow(pid: number): ProcessRow {
    const [parent, session = 0] = rows[pid] ?? [0];
    const start = `${pid}@${starts.get(pid) ?? 0}`;
    return { pid, parent, group: session, session, start, command: "x" };
  }
  const trees = createAgentTrees(processes, () => protectedPids);
  const see = (next: Rows): void => {
    rows = { 1: [0], 20: [1, 20], [process.pid]: [20, 20], ...next };
  };
  see(first);
  return {
    trees,
    see,
    reuse: (pid: number) => starts.set(pid, 1),
    members: (key: string) =>
      trees
        .membersOf(key)
        .map(({ pid }) => pid)
        .toSorted((a, b) => a - b),
  };
}

test("descendants of the wrapper, members of its session and carriers of the mark belong to the agent", () => {
  const { trees, members } = someTrees({
    100: [process.pid, 100],
    101: [100, 100],
    102: [101, 102],
    103: [1, 100],
    104: [1, 104, "impl-1-a"],
    105: [104, 105],
    106: [1, 106, "impl-1-b"],
  });
  trees.add({ key: "a.1", mark: "impl-1-a", pid: 100, start: null });

  trees.refresh(new Set(["impl-1-a"]));

  expect(members("a.1")).toEqual([101, 102, 103, 104, 105]);
  expect(trees.isRootAlive("a.1")).toBe(true);
});

test("a process with the bare id of an agent that an older build started belongs to that agent", () => {
  const { trees, members } = someTrees({
    100: [process.pid, 100],
    104: [1, 104, "impl-1-a"],
    105: [1, 105, "impl-1-a@mine"],
    106: [1, 106, "impl-1-a@theirs"],
    107: [1, 107, "impl-1-b"],
  });
  trees.add({ key: "a.1", mark: "impl-1-a@mine", pid: 100, start: null });

  trees.refresh(new Set(["impl-1-a@mine"]));

  expect(members("a.1")).toEqual([104, 105]);
});

test("a process with the bare id below a later attempt of the agent does not belong to the earlier one", () => {
  // Codex starts MCP servers without the mark of the attempt.
  const { trees, members } = someTrees({
    200: [process.pid, 200],
    201: [200, 200, "impl-1-a@mine.2"],
    202: [201, 202, "impl-1-a"],
    203: [1, 203, "impl-1-a"],
  });
  trees.add({ key: "a.1", mark: "impl-1-a@mine", pid: 100, start: "long ago" });
  trees.add({ key: "a.2", mark: "impl-1-a@mine.2", pid: 200, start: null });

  trees.refresh(new Set(["impl-1-a@mine"]));

  expect(members("a.1")).toEqual([203]);
  expect(members("a.2")).toEqual([201, 202, 203]);
});

test("a process still belongs to the agent after its parent died, until its pid is reused", () => {
  const { trees, see, reuse, members } = someTrees({
    100: [process.pid, 100],
    101: [100, 100],
    102: [101, 102],
  });
  trees.add({ key: "a.1", mark: "impl-1-a", pid: 100, start: null });
  trees.refresh();

  see({ 102: [1, 102], 103: [102, 102] });
  trees.refresh();
  expect(members("a.1")).toEqual([102, 103]);
  expect(trees.isRootAlive("a.1")).toBe(false);

  see({ 102: [1, 102] });
  reuse(102);
  trees.refresh();
  expect(members("a.1")).toEqual([]);
});

test("the daemon, its launcher, its children, other agents and protected pids never belong to an agent", () => {
  // The daemon 20 was started from inside agent a and has inherited its mark.
  const { trees, members } = someTrees(
    {
      20: [101, 20, "impl-1-a"],
      21: [20, 20, "impl-1-a"],
      100: [1, 100],
      101: [100, 100, "impl-1-a"],
      102: [101, 100, "impl-1-a"],
      103: [101, 100, "impl-1-a"],
      200: [process.pid, 200],
      201: [200, 200],
    },
    [103],
  );
  trees.add({ key: "a.1", mark: "impl-1-a", pid: 100, start: null });
  trees.add({ key: "b.1", mark: "impl-1-b", pid: 200, start: null });

  trees.refresh(new Set(["impl-1-a"]));

  expect(members("a.1")).toEqual([102]);
  expect(members("b.1")).toEqual([201]);
});

test("a process that reuses the pid of an ended wrapper does not belong to the agent", () => {
  const { trees, members } = someTrees({ 100: [1, 100], 101: [100, 100] });
  trees.add({ key: "a.1", mark: "impl-1-a", pid: 100, start: "long ago" });
  trees.add({ key: "b.1", mark: "impl-1-b", pid: 100, start: null });
  trees.rootExited("b.1");

  trees.refresh();

  for (const key of ["a.1", "b.1"]) {
    expect(trees.isRootAlive(key)).toBe(false);
    expect(members(key)).toEqual([]);
  }
});
