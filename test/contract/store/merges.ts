import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { MergeQuery } from "../../../src/app/ports/workspace-store.ts";
import { type Merge, MERGE_STATUSES } from "../../../src/domain/merges/merge.ts";
import { aMerge, aWorkspace, NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function merges(aStore: Open): void {
  test("a merge comes back with every field", async () => {
    const store = await aStore();
    const full = aMerge({
      id: "mrg-02",
      taskId: "task-01",
      mode: "rebase",
      message: "'; --\n二行目",
      status: "check_failed",
      approvalId: "apr-01",
      intoCheckout: true,
      from: "d".repeat(40),
      result: "e".repeat(40),
      checkExit: 0,
      checkOutput: "",
      problem: { type: "check_failed", exitCode: 1 },
      conflicts: ["日本.ts"],
      queuedAt: NOON + 1,
      endedAt: NOON + 2,
    });

    await insert(store, [aMerge(), full]);

    expect(await store.getMerge("mrg-02")).toEqual(full);
    expect(await store.getMerge("mrg-01")).toEqual(aMerge());
    expect(await store.getMerge("nothing")).toBeUndefined();
  });

  test("a merge changes once per revision", async () => {
    const store = await aStore();
    const before = aMerge();
    await insert(store, [before]);
    const move = (status: Merge["status"]) =>
      store.transaction((unit) => unit.updateMerge({ ...before, status }, before));

    const after = await move("queued");

    expect(after).toEqual({ ...before, status: "queued", revision: 2 });
    expect(await store.getMerge(before.id)).toEqual(after);
    await expect(move("cancelled")).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await store.getMerge(before.id)).toEqual(after);
  });

  test("merges are listed in pages, the newest first, with every filter", async () => {
    const store = await aStore();
    await insert(store, [
      numbered(1, { status: "landed", taskId: "task-1" }),
      numbered(2, { status: "conflicted", workspaceId: "wsp-02" }),
      numbered(3, { status: "queued", groupId: "grp-other" }),
      numbered(4, { status: "landed" }),
      numbered(5, { status: "rejected", taskId: "task-1" }),
    ]);
    const all = (query: Omit<MergeQuery, "limit">) => allPages(store, query);

    expect(await all({})).toEqual([[5, 4], [3, 2], [1]]);
    expect(await all({ workspaceId: "wsp-01" })).toEqual([
      [5, 4],
      [3, 1],
    ]);
    expect(await all({ workspaceId: "wsp-01", statuses: ["landed", "queued"] })).toEqual([
      [4, 3],
      [1],
    ]);
    expect(await all({ groupId: "grp-other" })).toEqual([[3]]);
    expect(await all({ taskId: "task-1" })).toEqual([[5, 1]]);
    expect(await all({ statuses: ["landed", "conflicted"] })).toEqual([[4, 2], [1]]);
    expect(await all({ statuses: [] })).toEqual([[]]);
    await expect(store.listMerges({ limit: 2, cursor: "x" })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  test("the queue has what is queued or checked, the oldest approval first", async () => {
    const store = await aStore();
    const early = aMerge({ id: "mrg-early", status: "checking", queuedAt: NOON });
    const late = aMerge({ id: "mrg-late", status: "queued", queuedAt: NOON + 2 });
    const later = { ...late, id: "mrg-later" } as const;
    await insert(store, [
      late,
      later,
      ...MERGE_STATUSES.filter((status) => status !== "queued" && status !== "checking").map(
        (status) => aMerge({ id: `mrg-${status}`, status, queuedAt: NOON + 1 }),
      ),
      early,
    ]);

    expect(await store.listQueuedMerges()).toEqual([early, late, later]);
    await store.transaction((unit) => unit.updateMerge({ ...early, status: "landed" }, early));
    expect(await store.listQueuedMerges()).toEqual([late, later]);
  });
}

function numbered(n: number, over: Partial<Merge>): Merge {
  return aMerge({ id: `mrg-${n}`, createdAt: NOON + n, ...over });
}

async function insert(store: Store, rows: readonly Merge[]): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertWorkspace(aWorkspace());
    await unit.insertWorkspace(aWorkspace({ id: "wsp-02" }));
    for (const row of rows) await unit.insertMerge(row);
  });
}

async function allPages(
  store: Store,
  query: Omit<MergeQuery, "limit">,
): Promise<readonly number[][]> {
  const pages: number[][] = [];
  let cursor: string | null = null;
  do {
    const page = await store.listMerges({ ...query, limit: 2, ...(cursor && { cursor }) });
    pages.push(page.merges.map(({ id }) => Number(id.replace("mrg-", ""))));
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}
