import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import { aChangeVersion, aComment, anAgent, aWorkspace, NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function changes(aStore: Open): void {
  test("the versions of a change come back with every field, by number", async () => {
    const store = await aStore();
    const first = aChangeVersion();
    const second = aChangeVersion({
      version: 2,
      paths: ["日本.ts", "'; --\n"],
      attention: [{ type: "other_branch", branch: null }],
      at: NOON + 1,
    });
    await insertWorkspaces(store);

    await store.transaction(async (unit) => {
      await unit.insertVersion(second);
      await unit.insertVersion(first);
      await unit.insertVersion(aChangeVersion({ workspaceId: "wsp-02" }));
    });

    expect(await store.listVersions("wsp-01")).toEqual([first, second]);
    expect(await store.getVersion("wsp-01", 2)).toEqual(second);
    expect(await store.getVersion("wsp-01", 3)).toBeUndefined();
  });

  test("a version is stored once and never replaced", async () => {
    const store = await aStore();
    await insertWorkspaces(store);
    await store.transaction((unit) => unit.insertVersion(aChangeVersion()));

    const again = store.transaction((unit) => unit.insertVersion(aChangeVersion({ files: 9 })));

    await expect(again).rejects.toThrow(/unique/i);
    expect(await store.listVersions("wsp-01")).toEqual([aChangeVersion()]);
  });

  test("comments come back with every field, the oldest first", async () => {
    const store = await aStore();
    const first = aComment({ id: "cmt-2" });
    const second = aComment({
      id: "cmt-1",
      side: null,
      line: null,
      endLine: null,
      quote: "",
      body: "'; --\n二行目",
      status: "sent",
      sentAt: NOON + 1,
      sentTo: anAgent().id,
    });
    await insertWorkspaces(store);

    await store.transaction(async (unit) => {
      await unit.insertComment(first);
      await unit.insertComment(second);
      await unit.insertComment(aComment({ id: "cmt-other", workspaceId: "wsp-02" }));
    });

    expect(await store.listComments("wsp-01")).toEqual([first, second]);
    expect(await store.getComment("cmt-1")).toEqual(second);
    expect(await store.getComment("nothing")).toBeUndefined();
  });

  test("a comment changes once per revision and can be deleted", async () => {
    const store = await aStore();
    const before = aComment();
    await insertWorkspaces(store);
    await store.transaction((unit) => unit.insertComment(before));
    const edit = (body: string) =>
      store.transaction((unit) => unit.updateComment({ ...before, body }, before));

    const after = await edit("新しい");

    expect(after).toEqual({ ...before, body: "新しい", revision: 2 });
    expect(await store.getComment(before.id)).toEqual(after);
    await expect(edit("古い")).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await store.transaction((unit) => unit.deleteComment(before.id));
    expect(await store.listComments("wsp-01")).toEqual([]);
  });
}

async function insertWorkspaces(store: Store): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertWorkspace(aWorkspace());
    await unit.insertWorkspace(aWorkspace({ id: "wsp-02" }));
  });
}
