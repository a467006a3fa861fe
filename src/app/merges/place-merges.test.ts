import { expect, test } from "vitest";
import { aFreeRepository, aMergeCore } from "../../../test/kit/merges.ts";

test("the server that leads merges the change of another server that is in the same repository", async () => {
  const it = await aMergeCore({ serverId: "b" });
  const workspace = await it.change("aa-01", { "a.txt": "ONE\n" }, { serverId: "a" });

  const { id } = await it.approved(workspace);
  await it.settle();

  expect(await it.merge(id)).toMatchObject({ status: "landed", serverId: null });
});

test("a merge whose change is elsewhere waits with the reason, and is taken back when the change is here", async () => {
  const repository = aFreeRepository();
  let hidden: string | null = null;
  const it = await aMergeCore({
    serverId: "b",
    repository,
    closed: true,
    git: {
      resolve: async (common, name) =>
        name === hidden ? undefined : repository.git.resolve(common, name),
    },
  });
  const workspace = await it.change("aa-01", { "a.txt": "ONE\n" }, { serverId: "a" });
  const { id } = await it.approved(workspace);
  const before = it.tip();
  hidden = workspace.head;
  it.queue.open();
  await it.settle();

  const waiting = await it.merge(id);
  expect(waiting).toMatchObject({
    status: "queued",
    serverId: "a",
    problem: { type: "refused", en: expect.stringContaining("the server a, which is not running") },
  });
  // The row is not written again and again.
  await it.settle();
  expect([(await it.merge(id)).revision, it.tip()]).toEqual([waiting.revision, before]);

  hidden = null;
  await it.settle();
  expect(await it.merge(id)).toMatchObject({ status: "landed", serverId: null, problem: null });
});
