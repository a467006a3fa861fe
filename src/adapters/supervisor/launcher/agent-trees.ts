import type { ProcessRow, Processes, ProcessTable } from "../processes/process-table.ts";
import type { WrapperProcess } from "./launcher-messages.ts";

type Tree = {
  readonly key: string;
  readonly mark: string;
  readonly pid: number;
  /** null until first seen: the pid of our own child cannot be reused before we reap it. */
  start: string | null;
  /** The name of the wrapper's program; null until first seen. */
  command: string | null;
  /** The root was seen alive, so its session and group ids are known to belong to it. */
  wasSeen: boolean;
  isRootAlive: boolean;
  members: ReadonlyMap<number, ProcessRow>;
};

export type AgentTrees = ReturnType<typeof createAgentTrees>;

/**
 * Which processes belong to which agent: those that descend, or once descended, from its wrapper,
 * are in its session or group, or carry its mark. Members are remembered, because an orphan process
 * is re-parented to init and can no longer be found through its ancestors.
 */
export function createAgentTrees(processes: Processes, protectedPids: () => readonly number[]) {
  const trees = new Map<string, Tree>();

  /**
   * Reads the process table once for all trees; marks are read only for these agents. Throws when
   * it could not look; then every tree is as it was.
   */
  function refresh(marksOf: ReadonlySet<string> = new Set()): void {
    const table = processes.table();
    const marked = readMarks(processes, table, marksOf);
    const sessions = groupBy(table, (row) => row.session || undefined);
    const untouchable = new Set([...ancestorsOf(process.pid, table), ...protectedPids()]);
    // Agents run in other sessions than the daemon. A process in the daemon's session is never an
    // agent's, even with a mark: a daemon that was started from inside an agent inherits its mark.
    const session = table.get(process.pid)?.session ?? 0;
    for (const row of sessions.get(session) ?? []) untouchable.add(row.pid);
    for (const tree of trees.values()) {
      if (lookAtRoot(tree, table)) untouchable.add(tree.pid);
    }
    const children = groupBy(table, (row) => row.parent);
    const groups = groupBy(table, (row) => row.group);
    for (const tree of trees.values()) {
      const found = [...(marked.get(tree.mark) ?? []), ...withOnlyId(tree, marked, table)];
      if (tree.isRootAlive) found.push(...(children.get(tree.pid) ?? []));
      if (tree.wasSeen && (tree.isRootAlive || !table.has(tree.pid))) {
        found.push(...(sessions.get(tree.pid) ?? []), ...(groups.get(tree.pid) ?? []));
      }
      for (const member of tree.members.values()) {
        const row = table.get(member.pid);
        if (row?.start === member.start) found.push(row);
      }
      tree.members = withDescendants(found, children, untouchable);
    }
  }

  /**
   * Processes with the id of the agent and without the mark of an attempt, such as MCP servers of a
   * CLI that hides variables from them. Those of a running attempt belong to that one only.
   */
  function withOnlyId(
    tree: Tree,
    marked: ReadonlyMap<string, readonly ProcessRow[]>,
    table: ProcessTable,
  ): readonly ProcessRow[] {
    const others = [...trees.values()].filter((each) => each !== tree && each.isRootAlive);
    return (marked.get(idIn(tree.mark)) ?? []).filter((row) => {
      const ancestors = ancestorsOf(row.pid, table);
      return !others.some(({ pid }) => ancestors.has(pid));
    });
  }

  return {
    refresh,
    get size(): number {
      return trees.size;
    },
    liveRoots: () => liveRootsOf(trees.values()),
    add(root: { key: string; mark: string; pid: number; start: string | null }): void {
      if (trees.has(root.key)) return;
      const { key, mark, pid, start } = root;
      const members = new Map<number, ProcessRow>();
      const command = null;
      trees.set(key, {
        key,
        mark,
        pid,
        start,
        command,
        wasSeen: false,
        isRootAlive: true,
        members,
      });
    },
    /** Our child was reaped: from now on its pid may be reused. */
    rootExited(key: string): void {
      const tree = trees.get(key);
      if (!tree) return;
      tree.start ??= "exited";
      tree.wasSeen = true;
    },
    remove: (key: string): void => void trees.delete(key),
    /** As of the last refresh, without the wrapper. */
    membersOf(key: string): ProcessRow[] {
      return [...(trees.get(key)?.members.values() ?? [])];
    },
    /** A member runs another program than the wrapper: a fork of it is no CLI yet. */
    hasCli(key: string): boolean {
      const tree = trees.get(key);
      return [...(tree?.members.values() ?? [])].some(({ command }) => command !== tree?.command);
    },
    isRootAlive(key: string): boolean {
      return trees.get(key)?.isRootAlive ?? false;
    },
  };
}

/** The wrappers that were alive when they were last looked at. */
function liveRootsOf(trees: Iterable<Tree>): readonly WrapperProcess[] {
  return [...trees].flatMap(({ key, mark, pid, start, isRootAlive }) =>
    isRootAlive && start !== null ? [{ key, mark, pid, start }] : [],
  );
}

function lookAtRoot(tree: Tree, table: ProcessTable): boolean {
  const root = table.get(tree.pid);
  tree.isRootAlive = root !== undefined && (tree.start === null || tree.start === root.start);
  if (root && tree.isRootAlive) {
    tree.start = root.start;
    tree.command = root.command;
    tree.wasSeen = true;
  }
  return tree.isRootAlive;
}

function readMarks(
  processes: Processes,
  table: ProcessTable,
  marks: ReadonlySet<string>,
): Map<string, ProcessRow[]> {
  if (marks.size === 0) return new Map();
  const wanted = new Set([...marks].flatMap((mark) => [mark, idIn(mark)]));
  return groupBy(table, (row) => {
    const mark = processes.agentMark(row.pid);
    return mark !== undefined && wanted.has(mark) ? mark : undefined;
  });
}

/** The agent id alone: older builds put only that into the environment, and some CLIs pass on only that. */
function idIn(mark: string): string {
  return mark.split("@", 1)[0] ?? mark;
}

/** Leaves out untouchable processes (the daemon, its ancestors, other agents) and all below them. */
function withDescendants(
  from: readonly ProcessRow[],
  children: ReadonlyMap<number, readonly ProcessRow[]>,
  untouchable: ReadonlySet<number>,
): Map<number, ProcessRow> {
  const found = new Map<number, ProcessRow>();
  const queue = [...from];
  for (let row = queue.pop(); row; row = queue.pop()) {
    if (found.has(row.pid) || untouchable.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return found;
}

export function ancestorsOf(pid: number, table: ProcessTable): Set<number> {
  const found = new Set([0, 1]);
  for (let each = pid; !found.has(each); each = table.get(each)?.parent ?? 0) found.add(each);
  return found;
}

function groupBy<Key>(
  table: ProcessTable,
  keyOf: (row: ProcessRow) => Key | undefined,
): Map<Key, ProcessRow[]> {
  const groups = new Map<Key, ProcessRow[]>();
  for (const row of table.values()) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
