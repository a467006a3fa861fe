import { expect, test } from "vitest";
import { audited } from "../../../test/kit/approvals.ts";
import { aMergeCore, OPERATOR, type MergeCore } from "../../../test/kit/merges.ts";
import { aRepository, git, hashOfUser } from "../../../test/kit/repository.ts";
import { undoMerge } from "./undo-merge.ts";

async function landed(it: MergeCore, name: string, intoCheckout = false): Promise<string> {
  const change = await it.change(name, { [`${name}.txt`]: name });
  const { id } = await it.approved(change, { intoCheckout });
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
  return id;
}

test("an undone merge moves the branch back and opens the change again", async () => {
  const it = await aMergeCore();
  const before = it.tip();
  const id = await landed(it, "aa-01");

  const undone = await undoMerge(it.core, OPERATOR, id);

  expect(undone.status).toBe("undone");
  expect(it.tip()).toBe(before);
  expect(await it.core.store.getWorkspace(undone.workspaceId)).toMatchObject({
    outcome: "open",
    closedAt: null,
  });
  expect((await audited(it.core)).at(-1)).toMatchObject({ action: "merge.undone", actor: "aoi" });
  await expect(undoMerge(it.core, OPERATOR, id)).rejects.toMatchObject({
    code: "TRANSITION_NOT_ALLOWED",
  });
});

test("only the newest merge of a branch can be undone, one after the other", async () => {
  const it = await aMergeCore();
  const before = it.tip();
  const [first, second] = [await landed(it, "aa-01"), await landed(it, "aa-02")];

  await expect(undoMerge(it.core, OPERATOR, first)).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
  });
  await undoMerge(it.core, OPERATOR, second);
  await undoMerge(it.core, OPERATOR, first);

  expect(it.tip()).toBe(before);
});

test("a later commit of a person is never lost", async () => {
  const it = await aMergeCore();
  const id = await landed(it, "aa-01");
  git(it.repository.root, "checkout", "-q", "main");
  const tip = it.repository.commit({ "b.txt": "mine\n" });
  git(it.repository.root, "checkout", "-q", "--detach");

  await expect(undoMerge(it.core, OPERATOR, id)).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
    hint: expect.stringContaining("git revert"),
  });
  expect(it.tip()).toBe(tip);
});

test("a checkout is not touched: the person runs the shown command, and undo records it", async () => {
  const it = await aMergeCore({ repository: aRepository() });
  const before = it.tip();
  const id = await landed(it, "aa-01", true);
  const state = hashOfUser(it.repository);

  const command = `git reset --keep ${before}`;
  await expect(undoMerge(it.core, OPERATOR, id)).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
    hint: expect.stringContaining(command),
  });
  expect(hashOfUser(it.repository)).toBe(state);

  git(it.repository.root, ...command.split(" ").slice(1));
  expect((await undoMerge(it.core, OPERATOR, id)).status).toBe("undone");
});
