import { expect, test } from "vitest";
import type { GroupQuery, Store } from "../../../src/app/ports/store.ts";
import type { Group } from "../../../src/domain/groups/group.ts";
import { aGroup, NOON } from "../../kit/builders.ts";
import { numbered, type Open, range } from "./kit.ts";

export function listedGroups(aStore: Open): void {
  test.each([
    ["made one after the other", (n: number) => NOON + n],
    ["made in the same millisecond", () => NOON],
  ])("60 groups %s are paged newest first without gap or double", async (_, createdAt) => {
    const store = await aStore();
    const groups = range(1, 60).map((n) => aGroup({ id: `grp-${n}`, createdAt: createdAt(n) }));
    await insertGroups(store, groups);

    const seen = await pagesOf(store, { view: "active", limit: 7 }, async (page) => {
      await insertGroups(store, [aGroup({ id: `grp-new-${page}`, createdAt: createdAt(60) })]);
    });

    expect(seen).toEqual(groups.toReversed());
  });

  test("active groups are those not deleted; groups in view include deleted ones with an agent in view", async () => {
    const store = await aStore();
    const deleted = { status: "deleted", deletedAt: NOON } as const;
    const active = aGroup({ id: "grp-1" });
    const shown = aGroup({ id: "grp-2", ...deleted });
    const empty = aGroup({ id: "grp-3", ...deleted });
    await insertGroups(store, [active, shown, empty]);
    await store.transaction((unit) =>
      unit.insertAgent(numbered(1, { groupId: shown.id, process: "ended" }), ""),
    );

    const active1 = await store.listGroups({ view: "active", limit: 10 });
    expect(active1).toEqual({ groups: [active], nextCursor: null });
    const inView = await store.listGroups({ view: "all-in-view", limit: 10 });
    expect(inView).toEqual({ groups: [shown, active], nextCursor: null });

    await store.transaction((unit) => unit.shrinkView(0));
    expect((await store.listGroups({ view: "all-in-view", limit: 10 })).groups).toEqual([active]);
  });

  test("an invalid cursor is refused", async () => {
    const store = await aStore();

    const page = store.listGroups({ view: "active", limit: 1, cursor: "x" });

    await expect(page).rejects.toMatchObject({ name: "Refusal", code: "INVALID_CURSOR" });
  });
}

async function insertGroups(store: Store, groups: readonly Group[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const group of groups) expect(await unit.insertGroup(group)).toBe(true);
  });
}

async function pagesOf(
  store: Store,
  query: GroupQuery,
  between: (page: number) => Promise<void>,
): Promise<readonly Group[]> {
  const seen: Group[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await store.listGroups({ ...query, ...(cursor !== null && { cursor }) });
    seen.push(...page.groups);
    cursor = page.nextCursor;
    pages += 1;
    await between(pages);
  } while (cursor !== null);
  return seen;
}
