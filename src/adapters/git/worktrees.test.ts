import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aCapture,
  aRepository,
  expectPrepared,
  git,
  hashOfUser,
  ownBranches,
  write,
} from "../../../test/kit/repository.ts";

test("fifty worktrees are added at once", async () => {
  const repository = aRepository();
  const before = hashOfUser(repository);
  const ids = Array.from({ length: 50 }, (_, n) => `w${n}`);

  await Promise.all(ids.map((id) => repository.added(id)));

  for (const id of ids.slice(0, 5)) await expectPrepared(repository, id);
  expect(ownBranches(repository)).toHaveLength(50);
  expect(readdirSync(join(repository.common, "worktrees"))).toHaveLength(50);
  expect(hashOfUser(repository)).toBe(before);
});

test("leftovers of a killed git are cleaned up: a half-written entry, a lock and a branch at the base", async () => {
  const repository = aRepository();
  const { git: adapter, common, root } = repository;
  git(root, "worktree", "add", "-q", "--no-checkout", "--detach", join(repository.dir, "x"));
  const initializing = repository.worktree("w1");
  git(root, "worktree", "add", "-q", "--no-checkout", "-b", initializing.branch, initializing.path);
  writeFileSync(join(common, "worktrees", "w1", "locked"), "initializing");
  writeFileSync(join(common, "worktrees", "w1", "index.lock"), "");
  const half = repository.worktree("w2");
  mkdirSync(join(common, "worktrees", "w2"));
  writeFileSync(join(common, "worktrees", "w2", "locked"), "kuromajutsu w2");
  git(root, "branch", half.branch);

  await adapter.addWorktree(common, initializing);
  await adapter.addWorktree(common, half);

  await expectPrepared(repository, "w1");
  await expectPrepared(repository, "w2");
  expect(readdirSync(join(common, "worktrees")).toSorted()).toEqual(["w1", "w2", "x"]);
});

test("a second addition leaves the work of the agent alone", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  write(spec.path, { "b.txt": "work\n" });
  git(spec.path, "checkout", "-q", "-b", "elsewhere");

  await repository.git.addWorktree(repository.common, spec);

  expect(readFileSync(join(spec.path, "b.txt"), "utf8")).toBe("work\n");
});

test("a branch at another commit is never moved", async () => {
  const repository = aRepository();
  const { git: adapter, common, root, head } = repository;
  const next = repository.commit({ "b.txt": "next\n" });
  git(root, "branch", "kuromajutsu/w1", next);

  await expect(adapter.addWorktree(common, repository.worktree("w1"))).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
    message: expect.stringContaining("kuromajutsu/w1"),
  });

  expect(git(root, "rev-parse", "kuromajutsu/w1")).toBe(next);
  expect(existsSync(repository.worktree("w1").path)).toBe(false);
  expect(head).not.toBe(next);
});

test("a worktree that a person has locked is neither used nor removed", async () => {
  const repository = aRepository();
  const { git: adapter, common } = repository;
  const spec = await repository.added("w1");
  writeFileSync(join(common, "worktrees", "w1", "locked"), "on my disk");

  await expect(adapter.addWorktree(common, spec)).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
  });
  await expect(
    adapter.removeWorktree(common, spec, "refs/kuromajutsu/saved/w1"),
  ).rejects.toMatchObject({ code: "WORKTREE_UNUSABLE" });
  expect(await adapter.inspectWorktree(common, spec)).toEqual({
    state: "damaged",
    reason: "not_ours",
  });
  expect(existsSync(join(spec.path, "a.txt"))).toBe(true);
});

test("pointers of Git LFS are checked out as pointers", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";
  const repository = aRepository({
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
  });
  const { root } = repository;
  const base = repository.commit({ "x.bin": pointer });
  git(root, "config", "filter.lfs.smudge", "git-lfs-is-not-here");
  git(root, "config", "filter.lfs.process", "git-lfs-is-not-here");
  git(root, "config", "filter.lfs.required", "true");

  const spec = await repository.added("w1", { base });

  expect(readFileSync(join(spec.path, "x.bin"), "utf8")).toBe(pointer);
  const { commit } = await repository.git.capture(repository.common, aCapture(spec));
  expect(commit).toBe(base);
});

test("the worktree for checks is detached, reset and cleaned, and keeps ignored files", async () => {
  const repository = aRepository({ "a.txt": "a\n", ".gitignore": "node_modules/\n" });
  const { git: adapter, common, head } = repository;
  const path = join(repository.dir, "data", "check");
  const next = repository.commit({ "b.txt": "b\n" });
  await adapter.prepareIntegration(common, path, "check", head);
  write(path, { "a.txt": "dirty\n", "left.txt": "x\n", "node_modules/x.js": "x\n" });

  await adapter.prepareIntegration(common, path, "check", next);

  expect(git(path, "rev-parse", "HEAD")).toBe(next);
  expect(git(path, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)");
  expect(readdirSync(path).toSorted()).toEqual([
    ".git",
    ".gitignore",
    "a.txt",
    "b.txt",
    "node_modules",
  ]);
});

test("a removal keeps the files as a commit, also those of nested repositories", async () => {
  const repository = aRepository();
  const { git: adapter, common, root } = repository;
  const before = hashOfUser(repository);
  const spec = await repository.added("w1");
  write(spec.path, { "b.txt": "work\n", "new.txt": "n\n", "nested/x.txt": "x\n" });
  git(join(spec.path, "nested"), "init", "-q");

  await adapter.removeWorktree(common, spec, "refs/kuromajutsu/saved/w1");

  const saved = "refs/kuromajutsu/saved/w1";
  expect(git(root, "ls-tree", "-r", "--name-only", saved).split("\n")).toEqual([
    "a.txt",
    "b.txt",
    "nested/x.txt",
    "new.txt",
    "src/c.ts",
  ]);
  expect(git(root, "show", `${saved}:b.txt`)).toBe("work");
  expect(readdirSync(join(repository.dir, "data", "work", ".trash"))).toEqual([]);
  expect(existsSync(join(common, "worktrees"))).toBe(false);
  expect(git(root, "rev-parse", spec.branch)).toBe(repository.head);
  expect(hashOfUser(repository)).toBe(before);
  await adapter.removeWorktree(common, spec, saved);
});

test("stale locks of our own refs are removed, and a lock of the user is reported and kept", async () => {
  const repository = aRepository();
  const { git: adapter, common, head } = repository;
  const own = join(common, "refs", "kuromajutsu", "x.lock");
  mkdirSync(join(common, "refs", "kuromajutsu"));
  writeFileSync(own, "");
  const foreign = join(common, "refs", "heads", "free.lock");
  writeFileSync(foreign, "");

  await adapter.keep(common, "refs/kuromajutsu/x", head);
  expect(existsSync(own)).toBe(false);
  await expect(adapter.moveBranch(common, "free", null, head)).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
    message: expect.stringContaining("free.lock"),
  });
  expect(existsSync(foreign)).toBe(true);
  rmSync(foreign);
});
