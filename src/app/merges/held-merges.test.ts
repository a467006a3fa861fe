import { expect, test } from "vitest";
import { aMergeCore, OPERATOR, type MergeCore } from "../../../test/kit/merges.ts";
import { aRepository, git, hashOfUser, write } from "../../../test/kit/repository.ts";
import { mergeProblemText } from "../../domain/merges/merge-problem.ts";
import { mergeRef } from "../../domain/merges/merge.ts";
import { cancelMerge } from "./cancel-merge.ts";
import { retryMerge } from "./retry-merge.ts";

/** A person has `main` checked out. */
async function aBusyCore(): Promise<MergeCore> {
  return aMergeCore({ repository: aRepository() });
}

test("a branch that a person has checked out is not touched; the command to run is shown and lands it", async () => {
  const it = await aBusyCore();
  const { root } = it.repository;
  write(root, { "notes.txt": "draft\n" });
  const workspace = await it.change("aa-01", { "a.txt": "ONE\n" });
  const before = hashOfUser(it.repository);

  const { id } = await it.approved(workspace);
  await it.settle();

  expect(hashOfUser(it.repository)).toBe(before);
  const held = await it.merge(id);
  const commit = held.result ?? "";
  expect(held).toMatchObject({
    status: "ready_to_land",
    problem: { type: "checked_out", target: "main", path: root, commit },
  });
  expect(held.problem && mergeProblemText(held.problem, "ja")).toContain(
    `git merge --ff-only ${commit}`,
  );

  git(root, "gc", "-q", "--prune=now");
  git(root, "merge", "-q", "--ff-only", commit);
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
  expect(await it.core.store.getWorkspace(workspace.id)).toMatchObject({ outcome: "merged" });
  expect(it.repository.refs()).not.toContain(mergeRef(id));
});

test("a held merge lands when the person leaves the branch", async () => {
  const it = await aBusyCore();
  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await it.settle();

  git(it.repository.root, "checkout", "-q", "--detach");
  await it.settle();

  const merge = await it.merge(id);
  expect([merge.status, merge.result]).toEqual(["landed", it.tip()]);
});

test("a held merge is built again when the person commits on the branch", async () => {
  const it = await aBusyCore();
  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await it.settle();
  const before = (await it.merge(id)).result;

  const tip = it.repository.commit({ "b.txt": "mine\n" });
  await it.settle();

  const merge = await it.merge(id);
  expect(merge).toMatchObject({ status: "ready_to_land", from: tip });
  expect(merge.result).not.toBe(before);
  git(it.repository.root, "merge", "-q", "--ff-only", merge.result ?? "");
});

test("several held merges stand on each other, and landing the last one lands all", async () => {
  const it = await aMergeCore({ repository: aRepository(), closed: true });
  const one = await it.approved(await it.change("aa-01", { "1.txt": "1\n" }));
  const two = await it.approved(await it.change("aa-02", { "2.txt": "2\n" }));
  it.queue.open();
  await it.settle();

  const last = await it.merge(two.id);
  expect((await it.merge(one.id)).result).toBe(last.from);
  git(it.repository.root, "merge", "-q", "--ff-only", last.result ?? "");
  await it.settle();

  for (const { id } of [one, two]) expect((await it.merge(id)).status).toBe("landed");
});

test("with intoCheckout the checkout is fast-forwarded and keeps other uncommitted work", async () => {
  const it = await aBusyCore();
  const { root } = it.repository;
  write(root, { "b.txt": "dirty\n" });

  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }), {
    intoCheckout: true,
  });
  await it.settle();

  expect((await it.merge(id)).status).toBe("landed");
  expect(git(root, "status", "--porcelain")).toBe(" M b.txt");
  expect(git(root, "show", "HEAD:a.txt")).toBe("ONE");
});

test("uncommitted work in the way is refused, nothing changes, and a retry lands it later", async () => {
  const it = await aBusyCore();
  const { root } = it.repository;
  write(root, { "a.txt": "my own\n" });
  const workspace = await it.change("aa-01", { "a.txt": "ONE\n" });
  const before = hashOfUser(it.repository);

  const { id } = await it.approved(workspace, { intoCheckout: true });
  await it.settle();

  expect(hashOfUser(it.repository)).toBe(before);
  expect(await it.merge(id)).toMatchObject({
    status: "ready_to_land",
    problem: { type: "checkout_refused", path: root, reason: "overlap", files: ["a.txt"] },
  });

  git(root, "checkout", "-q", "--", "a.txt");
  await retryMerge(it.core, OPERATOR, { id });
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
});

test("a person in the middle of a cherry-pick is not disturbed", async () => {
  const it = await aBusyCore();
  const { root } = it.repository;
  const workspace = await it.change("aa-01", { "b.txt": "theirs\n" });
  git(root, "branch", "-q", "topic");
  it.repository.commit({ "a.txt": "main\n" });
  git(root, "checkout", "-q", "topic");
  const other = it.repository.commit({ "a.txt": "topic\n" });
  git(root, "checkout", "-q", "main");
  expect(() => git(root, "cherry-pick", other)).toThrow("cherry-pick");
  const before = hashOfUser(it.repository);

  const { id } = await it.approved(workspace, { intoCheckout: true });
  await it.settle();

  expect(hashOfUser(it.repository)).toBe(before);
  expect(await it.merge(id)).toMatchObject({
    status: "ready_to_land",
    problem: { type: "checkout_refused", reason: "in_progress" },
  });
});

test("a cancelled merge forgets the commit that was kept for it", async () => {
  const it = await aBusyCore();
  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await it.settle();
  expect(it.repository.refs()).toContain(mergeRef(id));

  await cancelMerge(it.core, OPERATOR, id);

  await expect.poll(() => it.repository.refs()).not.toContain(mergeRef(id));
  expect((await it.merge(id)).status).toBe("cancelled");
});
