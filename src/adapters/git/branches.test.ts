import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aRepository,
  git,
  gitStops,
  hashOfUser,
  type TestRepository,
  write,
} from "../../../test/kit/repository.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n" };

/** A repository whose `next` branch is one commit ahead of the checked-out `main`. */
function anAheadRepository(files: Readonly<Record<string, string>> = { "a.txt": "next\n" }) {
  const repository = aRepository(FILES);
  const { root, head } = repository;
  git(root, "checkout", "-q", "-b", "next");
  const next = repository.commit(files);
  git(root, "checkout", "-q", "main");
  return { ...repository, next, head };
}

function forward({ git: adapter, root, head, next }: TestRepository & { readonly next: string }) {
  return adapter.fastForwardCheckout(root, "main", head, next);
}

test("a branch moves only from its expected commit", async () => {
  const { git: adapter, common, root, head, next } = anAheadRepository();
  git(root, "branch", "free");

  expect(await adapter.moveBranch(common, "free", next, head)).toEqual({
    result: "moved_meanwhile",
    now: head,
  });
  expect(await adapter.moveBranch(common, "free", head, next)).toEqual({ result: "moved" });
  expect(await adapter.moveBranch(common, "fresh", null, next)).toEqual({ result: "moved" });
  expect(await adapter.moveBranch(common, "fresh", null, head)).toEqual({
    result: "moved_meanwhile",
    now: next,
  });
  expect(await adapter.moveBranch(common, "gone", head, next)).toEqual({
    result: "moved_meanwhile",
    now: null,
  });
  expect(git(root, "rev-parse", "free", "fresh")).toBe(`${next}\n${next}`);
});

test("one of two concurrent moves of a branch wins", async () => {
  const { git: adapter, common, root, head, next } = anAheadRepository();
  git(root, "branch", "free");
  const other = git(root, "commit-tree", "-m", "other", "-p", head, `${head}^{tree}`);

  const results = await Promise.all(
    [next, other].map((to) => adapter.moveBranch(common, "free", head, to)),
  );

  expect(results.filter(({ result }) => result === "moved")).toHaveLength(1);
  expect(results.filter(({ result }) => result === "moved_meanwhile")).toHaveLength(1);
});

test("a branch that is checked out or being rebased somewhere does not move", async () => {
  const { git: adapter, common, root, dir, head, next, commit } = anAheadRepository();
  const linked = join(dir, "linked");
  git(root, "worktree", "add", "-q", "-b", "linked", linked);

  expect(await adapter.moveBranch(common, "main", head, next)).toEqual({
    result: "checked_out",
    path: root,
  });
  expect(await adapter.moveBranch(common, "linked", head, next)).toEqual({
    result: "checked_out",
    path: linked,
  });
  commit({ "a.txt": "main\n" });
  const main = git(root, "rev-parse", "main");
  gitStops(root, "rebase", "-q", "next");
  expect(await adapter.moveBranch(common, "main", main, next)).toMatchObject({
    result: "checked_out",
  });
  expect(git(root, "rev-parse", "main", "linked")).toBe(`${main}\n${head}`);
});

test("our branches and refs are kept, forgotten and deleted by their value", async () => {
  const repository = anAheadRepository();
  const { git: adapter, common, head, next } = repository;
  await adapter.keep(common, "refs/kuromajutsu/change/x/1", head);
  await adapter.keep(common, "refs/kuromajutsu/change/x/1", next);
  await adapter.keep(common, "refs/kuromajutsu/change/x/2", next);
  await adapter.moveBranch(common, "kuromajutsu/x", null, head);

  expect(await adapter.resolve(common, "refs/kuromajutsu/change/x/1")).toBe(next);
  expect(await adapter.deleteBranch(common, "kuromajutsu/x", next)).toBe(false);
  expect(await adapter.deleteBranch(common, "kuromajutsu/x", head)).toBe(true);
  expect(await adapter.deleteBranch(common, "kuromajutsu/x", head)).toBe(false);
  await adapter.forget(common, ["refs/kuromajutsu/change/x/1", "refs/kuromajutsu/change/gone"]);
  expect(repository.refs()).toEqual([
    "refs/heads/main",
    "refs/heads/next",
    "refs/kuromajutsu/change/x/2",
  ]);
  await expect(adapter.deleteBranch(common, "next", next)).rejects.toThrow("not below");
  await expect(adapter.keep(common, "refs/heads/x", next)).rejects.toThrow("not below");
  await expect(adapter.forget(common, ["refs/heads/next"])).rejects.toThrow("not below");
});

test("a fast-forward keeps dirty and staged work that does not overlap", async () => {
  const repository = anAheadRepository();
  const { root, next } = repository;
  write(root, { "b.txt": "staged\n" });
  git(root, "add", "b.txt");
  write(root, { "b.txt": "dirty\n", "untracked.txt": "u\n" });

  expect(await forward(repository)).toEqual({ result: "moved" });

  expect(git(root, "rev-parse", "HEAD", "main")).toBe(`${next}\n${next}`);
  expect(git(root, "status", "--porcelain")).toBe("MM b.txt\n?? untracked.txt");
  expect(git(root, "show", ":b.txt")).toBe("staged");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("next\n");
  expect(await forward(repository)).toEqual({ result: "moved" });
});

test.each([
  ["an edited file", { "a.txt": "mine\n" }, false],
  ["a staged file", { "a.txt": "mine\n" }, true],
  ["an untracked file", { "new.txt": "mine\n" }, false],
])("a fast-forward over %s is refused and changes nothing", async (_, files, isStaged) => {
  const repository = anAheadRepository({ "a.txt": "next\n", "new.txt": "new\n" });
  write(repository.root, files);
  if (isStaged) git(repository.root, "add", "-A");
  const before = hashOfUser(repository);

  expect(await forward(repository)).toEqual({
    result: "refused",
    reason: "overlap",
    paths: Object.keys(files),
  });
  expect(hashOfUser(repository)).toBe(before);
});

test.each(["merge", "rebase", "bisect", "cherry-pick"])(
  "a fast-forward during a %s is refused and changes nothing",
  async (command) => {
    const repository = aRepository(FILES);
    const { root } = repository;
    git(root, "checkout", "-q", "-b", "next");
    const next = repository.commit({ "a.txt": "next\n" });
    git(root, "checkout", "-q", "main");
    const main = repository.commit({ "a.txt": "main\n" });
    if (command === "bisect") git(root, "bisect", "start");
    else gitStops(root, command, "next");
    const before = hashOfUser(repository);

    const moved = await repository.git.fastForwardCheckout(root, "main", main, next);

    expect(moved).toEqual({ result: "refused", reason: "in_progress", paths: [] });
    expect(hashOfUser(repository)).toBe(before);
  },
);

test("a fast-forward is refused on another branch, at another commit, behind a lock and across histories", async () => {
  const repository = anAheadRepository();
  const { git: adapter, root, common, head, next } = repository;

  expect(await adapter.fastForwardCheckout(root, "next", head, next)).toMatchObject({
    reason: "other_branch",
  });
  expect(await adapter.fastForwardCheckout(root, "main", next, next)).toEqual({
    result: "moved_meanwhile",
    now: head,
  });
  const lock = join(common, "index.lock");
  writeFileSync(lock, "");
  expect(await forward(repository)).toMatchObject({ reason: "locked" });
  expect(existsSync(lock)).toBe(true);
  const unrelated = git(root, "commit-tree", "-m", "unrelated", `${head}^{tree}`);
  expect(await adapter.fastForwardCheckout(root, "main", head, unrelated)).toMatchObject({
    reason: "not_fast_forward",
  });
  expect(git(root, "rev-parse", "HEAD")).toBe(head);
});

test("a fast-forward of a file that goes through a filter is left to the person", async () => {
  const repository = anAheadRepository({ ".gitattributes": "*.bin filter=lfs\n", "x.bin": "p\n" });

  expect(await forward(repository)).toEqual({
    result: "refused",
    reason: "filtered",
    paths: ["x.bin"],
  });
});

test("the fingerprint changes with settings, hooks and attributes, and not with everyday commands", async () => {
  const repository = anAheadRepository();
  const { git: adapter, root, common } = repository;
  const first = await adapter.fingerprint(common);
  git(root, "config", "branch.main.remote", "origin");
  await repository.added("w1");
  expect(await adapter.fingerprint(common)).toBe(first);

  const seen = new Set([first]);
  const included = join(repository.dir, "included");
  const steps = [
    () => git(root, "config", "core.fsmonitor", "evil"),
    () => writeFileSync(join(common, "hooks", "pre-commit"), "evil"),
    () => writeFileSync(join(common, "info", "attributes"), "* filter=evil"),
    () => git(root, "config", "include.path", included),
    () => writeFileSync(included, "[core]\n\tsshCommand = evil\n"),
    () => writeFileSync(join(common, "worktrees", "w1", "config.worktree"), "[core]\n"),
  ];
  for (const step of steps) {
    step();
    seen.add(await adapter.fingerprint(common));
  }
  expect(seen.size).toBe(steps.length + 1);
});

test("worktrees that copy the settings of a sparse checkout do not change the fingerprint", async () => {
  const repository = aRepository();
  const { git: adapter, root, common } = repository;
  git(root, "sparse-checkout", "set", "src");
  const first = await adapter.fingerprint(common);
  await repository.added("w1");
  expect(existsSync(join(common, "worktrees", "w1", "config.worktree"))).toBe(true);

  expect(await adapter.fingerprint(common)).toBe(first);
});

test("disk use counts blocks, and a missing directory has none", async () => {
  const repository = aRepository({ "a.txt": "x".repeat(100_000) });
  const { git: adapter, root, dir } = repository;

  expect(await adapter.diskUse(root)).toBeGreaterThan(100_000);
  expect(await adapter.diskUse(join(dir, "missing"))).toBe(0);
});
