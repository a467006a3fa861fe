import { join } from "node:path";
import { expect, test } from "vitest";
import { aCapture, aRepository, git, hashOfUser, write } from "../../../test/kit/repository.ts";

test("a worktree is added, captured and removed, and the user's repository stays as it was", async () => {
  const repository = aRepository();
  write(repository.root, { "a.txt": "dirty\n", "untracked.txt": "mine\n" });
  git(repository.root, "add", "a.txt");
  const before = hashOfUser(repository);
  const { common } = repository;

  const found = await repository.git.find(join(repository.root, "src"));
  expect(found).toEqual({
    commonDirectory: common,
    root: repository.root,
    prefix: "src",
    head: repository.head,
    branch: "main",
  });
  const spec = await repository.added("w1");
  expect(await repository.git.inspectWorktree(common, spec)).toEqual({
    state: "present",
    head: repository.head,
    isPrepared: true,
  });
  expect(git(spec.path, "status", "--porcelain")).toBe("");
  write(spec.path, { "a.txt": "one\ntwo\nTHREE\n", "new.txt": "n\n" });
  expect(await repository.git.changedPaths(spec.path, repository.head)).toEqual([
    "a.txt",
    "new.txt",
  ]);
  const preview = await repository.git.previewTree(common, spec.path);
  const captured = await repository.git.capture(common, aCapture(spec));
  expect(captured.tree).toBe(preview);
  expect(captured.attention).toEqual([]);
  expect(git(spec.path, "status", "--porcelain")).toBe("");
  expect(git(spec.path, "log", "-1", "--format=%an <%ae> %cn <%ce> %at %s")).toBe(
    "impl-code (rehearsal) <impl-code@kuromajutsu.invalid> Kuromajutsu <kuromajutsu@kuromajutsu.invalid> 1794733200 Change the greeting",
  );
  expect(await repository.git.capture(common, aCapture(spec))).toEqual(captured);

  await repository.git.removeWorktree(common, spec, "refs/kuromajutsu/saved/w1");
  expect(await repository.git.inspectWorktree(common, spec)).toEqual({ state: "missing" });
  expect(hashOfUser(repository)).toBe(before);
  expect(repository.refs()).toEqual([
    "refs/heads/kuromajutsu/w1",
    "refs/heads/main",
    "refs/kuromajutsu/change/w1/1",
    "refs/kuromajutsu/saved/w1",
  ]);
});
