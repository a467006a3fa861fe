import { expect, test } from "vitest";
import type { Store, UnitOfWork } from "../../../src/app/ports/store.ts";
import type { WorkspaceQuery } from "../../../src/app/ports/workspace-store.ts";
import { WORKSPACE_STATUSES, type Workspace } from "../../../src/domain/workspaces/workspace.ts";
import { aChangeVersion, aComment, aMerge, aWorkspace, NOON } from "../../kit/builders.ts";
import { type Open, range } from "./kit.ts";

const [ONE, TWO, THREE] = ["wsp-01", "wsp-02", "wsp-03"] as const;

export function workspaces(aStore: Open): void {
  test("a workspace comes back with every field", async () => {
    const store = await aStore();
    const full = aWorkspace({
      id: TWO,
      taskId: "task-01",
      requester: null,
      status: "retired",
      outcome: "merged",
      prefix: "パッケージ/web",
      workerId: "wrk-01",
      fetchProblem: { type: "not_fetched", worker: "build-1", reason: "'; --\n二行目" },
      basedOn: { kind: "agent", agentId: "impl-code-1-a" },
      attention: [{ type: "file_too_large", path: "'; --\n二行目", bytes: 5_000_000_000 }],
      ports: { from: 20_000, count: 10 },
      diskBytes: 5_000_000_000,
      fingerprint: "f".repeat(64),
      closedAt: NOON + 1,
      retiredAt: NOON + 2,
    });
    const bare = aWorkspace({
      base: null,
      start: null,
      target: null,
      head: null,
      capturedAt: null,
    });

    await insert(store, [bare, full]);

    expect(await store.getWorkspace(TWO)).toEqual(full);
    expect(await store.getWorkspace(ONE)).toEqual(bare);
    expect(await store.getWorkspace("nothing")).toBeUndefined();
    expect(await store.getWorkspaces([TWO, "nothing", ONE, TWO])).toEqual([full, bare]);
  });

  test("a workspace changes once per revision, whatever the version of its change", async () => {
    const store = await aStore();
    const before = aWorkspace();
    await insert(store, [before]);
    const change = (over: Partial<Workspace>) =>
      store.transaction((unit) => unit.updateWorkspace({ ...before, ...over }, before));

    const after = await change({ version: 2, ports: { from: 1, count: 2 } });

    expect(after).toEqual({ ...before, version: 2, ports: { from: 1, count: 2 }, revision: 2 });
    expect(await store.getWorkspace(ONE)).toEqual(after);
    await expect(change({ outcome: "discarded" })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    expect(await store.getWorkspace(ONE)).toEqual(after);
  });

  test("workspaces are listed in pages, the newest first, with every filter", async () => {
    const store = await aStore();
    await insert(store, [
      numbered(1, { status: "ready", taskId: "task-1" }),
      numbered(2, { outcome: "merged", status: "retired", taskId: "task-1" }),
      numbered(3, { repository: "/other/.git", groupId: "grp-other" }),
      numbered(4, { status: "retired", outcome: "discarded" }),
      numbered(5, {}),
    ]);
    const all = (query: Omit<WorkspaceQuery, "limit">) => allPages(store, query);

    expect(await all({})).toEqual([[5, 4], [3, 2], [1]]);
    expect(await all({ taskId: "task-1" })).toEqual([[2, 1]]);
    expect(await all({ taskId: "task-1", outcomes: ["merged"] })).toEqual([[2]]);
    expect(await all({ groupId: aWorkspace().groupId })).toEqual([
      [5, 4],
      [2, 1],
    ]);
    expect(await all({ groupId: aWorkspace().groupId, statuses: ["ready"] })).toEqual([[1]]);
    expect(await all({ outcomes: ["open"] })).toEqual([[5, 3], [1]]);
    expect(await all({ outcomes: ["open", "merged"], statuses: ["retired", "captured"] })).toEqual([
      [5, 3],
      [2],
    ]);
    expect(await all({ repository: "/repo/.git", statuses: ["captured", "ready"] })).toEqual([
      [5, 1],
    ]);
    expect(await all({ repository: "/other/.git" })).toEqual([[3]]);
    expect(await all({ statuses: [] })).toEqual([[]]);
    expect(await all({ outcomes: [] })).toEqual([[]]);
    await expect(store.listWorkspaces({ limit: 2, cursor: "x" })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  test("a directory may exist in every status but planned and retired", async () => {
    const store = await aStore();
    await insertEveryStatus(store);

    const present = await store.listPresentWorkspaces();

    expect(present.map(({ status }) => status)).toEqual([
      "preparing",
      "ready",
      "captured",
      "failed",
      "damaged",
    ]);
  });

  test("open workspaces of a repository have a directory or a head", async () => {
    const store = await aStore();
    const other = { repository: "/other/.git" };
    await insert(store, [
      aWorkspace({ id: "wsp-1", status: "ready", head: null }),
      aWorkspace({ id: "wsp-2", status: "retired" }),
      aWorkspace({ id: "wsp-3", status: "retired", head: null }),
      aWorkspace({ id: "wsp-4", status: "planned", head: null }),
      aWorkspace({ id: "wsp-5", outcome: "merged" }),
      aWorkspace({ id: "wsp-6", ...other }),
    ]);

    const open = await store.listOpenWorkspaces("/repo/.git");

    expect(open.map(({ id }) => id)).toEqual(["wsp-1", "wsp-2"]);
  });

  test("open changes are counted from their first version until people decide", async () => {
    const store = await aStore();
    const before = aWorkspace({ id: THREE });
    await insert(store, [
      aWorkspace({ id: ONE, version: 0 }),
      aWorkspace({ id: TWO, status: "retired" }),
      before,
    ]);

    expect(await store.countOpenChanges()).toBe(2);
    await store.transaction((unit) =>
      unit.updateWorkspace({ ...before, outcome: "discarded" }, before),
    );
    expect(await store.countOpenChanges()).toBe(1);
  });

  test("a workspace holds its ports until it is retired", async () => {
    const store = await aStore();
    await insertEveryStatus(store);

    const ports = await store.listLeasedPorts();

    // The last status is `retired`.
    expect(ports).toEqual(range(1, WORKSPACE_STATUSES.length - 1).map((n) => portsOf(n)));
  });

  test("a deleted workspace takes its versions, comments, overlaps and merges with it", async () => {
    const store = await aStore();
    await insert(store, [aWorkspace(), aWorkspace({ id: TWO }), aWorkspace({ id: THREE })]);
    const kept = { a: ONE, b: THREE, level: "conflict", paths: ["a"], at: NOON } as const;
    await store.transaction(async (unit) => {
      for (const workspaceId of [ONE, TWO]) {
        await unit.insertVersion(aChangeVersion({ workspaceId }));
        await unit.insertComment(aComment({ id: `cmt-${workspaceId}`, workspaceId }));
        await unit.insertMerge(aMerge({ id: `mrg-${workspaceId}`, workspaceId }));
      }
      await unit.putOverlaps(TWO, [
        { ...kept, a: ONE, b: TWO },
        { ...kept, a: TWO, b: THREE },
      ]);
      await unit.putOverlaps(THREE, [kept, { ...kept, a: TWO }]);
    });

    await store.transaction((unit) => unit.deleteWorkspace(TWO));

    expect(await store.getWorkspace(TWO)).toBeUndefined();
    expect(await store.listVersions(TWO)).toEqual([]);
    expect(await store.listComments(TWO)).toEqual([]);
    expect(await store.listOverlaps()).toEqual([kept]);
    const { merges } = await store.listMerges({ limit: 10 });
    expect(merges.map(({ workspaceId }) => workspaceId)).toEqual([ONE]);
    expect(await store.listVersions(ONE)).toHaveLength(1);
    expect(await store.listComments(ONE)).toHaveLength(1);
  });

  test("the overlaps of a workspace are replaced; those of other pairs stay", async () => {
    const store = await aStore();
    await insert(store, [aWorkspace(), aWorkspace({ id: TWO }), aWorkspace({ id: THREE })]);
    const at = NOON;
    const first = { a: ONE, b: TWO, level: "same_file", paths: ["日本.ts", "b"], at } as const;
    const second = { a: TWO, b: THREE, level: "generated", paths: [], at } as const;
    const third = { a: ONE, b: THREE, level: "conflict", paths: ["a"], at } as const;
    const put = (work: (unit: UnitOfWork) => Promise<void>) => store.transaction(work);

    await put((unit) => unit.putOverlaps(TWO, [first, second]));
    await put((unit) => unit.putOverlaps(THREE, [third, second]));
    expect(await store.listOverlaps()).toEqual([first, third, second]);
    expect(await store.listOverlapsOf([ONE])).toEqual([first, third]);
    expect(await store.listOverlapsOf([THREE])).toHaveLength(2);
    // Each pair once, also if both of its workspaces are asked for.
    expect(await store.listOverlapsOf([ONE, TWO])).toHaveLength(3);
    expect(await store.listOverlapsOf([])).toEqual([]);

    await put((unit) => unit.putOverlaps(TWO, [{ ...first, level: "conflict" }]));
    expect(await store.listOverlaps()).toEqual([{ ...first, level: "conflict" }, third]);
    await put((unit) => unit.putOverlaps(ONE, []));
    expect(await store.listOverlaps()).toEqual([]);
  });

  test("an overlap with a workspace that is deleted meanwhile is left out", async () => {
    const store = await aStore();
    await insert(store, [aWorkspace(), aWorkspace({ id: THREE })]);
    const known = { a: ONE, b: THREE, level: "conflict", paths: ["a"], at: NOON } as const;

    await store.transaction((unit) => unit.putOverlaps(ONE, [{ ...known, b: TWO }, known]));

    expect(await store.listOverlaps()).toEqual([known]);
  });
}

function numbered(n: number, over: Partial<Workspace>): Workspace {
  return aWorkspace({ id: `wsp-${n}`, createdAt: NOON + n, ...over });
}

async function insert(store: Store, rows: readonly Workspace[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const row of rows) await unit.insertWorkspace(row);
  });
}

function portsOf(n: number) {
  return { from: 20_000 + 10 * n, count: n };
}

async function insertEveryStatus(store: Store): Promise<void> {
  await insert(store, [
    ...WORKSPACE_STATUSES.map((status, index) =>
      aWorkspace({ id: `wsp-${status}`, status, ports: portsOf(index + 1) }),
    ),
    aWorkspace({ id: "wsp-without", status: "retired", ports: null }),
  ]);
}

async function allPages(
  store: Store,
  query: Omit<WorkspaceQuery, "limit">,
): Promise<readonly number[][]> {
  const pages: number[][] = [];
  let cursor: string | null = null;
  do {
    const page = await store.listWorkspaces({ ...query, limit: 2, ...(cursor && { cursor }) });
    pages.push(page.workspaces.map(({ id }) => Number(id.replace("wsp-", ""))));
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}
