import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aRepository,
  git,
  hashOfUser,
  objectsOf,
  ownBranches,
  write,
  type TestRepository,
} from "../../../test/kit/repository.ts";
import type { BundleSpec } from "../../app/ports/git.ts";
import { Refusal } from "../../domain/refusal.ts";

const BRANCH = "kuromajutsu/grp-1/impl-1";
const KEPT = "refs/kuromajutsu/change/wsp-1/1";

/** A clone, as a worker has one, whose branch has one commit more. */
function aClone({ dir, root }: TestRepository, files = { "new.txt": "new\n" }) {
  const clone = join(dir, "clone");
  git(dir, "clone", "-q", root, clone);
  git(clone, "checkout", "-q", "-b", BRANCH);
  write(clone, files);
  git(clone, "add", "-A");
  git(clone, "commit", "-q", "-m", "work");
  return clone;
}

function bundleOf(clone: string, ...args: readonly string[]): Buffer {
  const file = join(clone, "..", "sent.bundle");
  git(clone, "bundle", "create", "-q", file, ...args);
  return readFileSync(file);
}

function take(repository: TestRepository, bundle: Buffer, spec: Partial<BundleSpec>) {
  const whole: BundleSpec = {
    branch: BRANCH,
    base: repository.head,
    commit: repository.head,
    keepAs: KEPT,
    bytes: bundle.length,
    ...spec,
  };
  return repository.git.takeBundle(repository.common, whole, async (offset) =>
    bundle.subarray(offset, offset + 1_000),
  );
}

/** Why it is refused. Neither refs nor objects nor files are other than before. */
async function whyRefused(
  repository: TestRepository,
  bundle: Buffer,
  spec: Partial<BundleSpec>,
): Promise<string> {
  const look = () => [hashOfUser(repository), repository.refs(), objectsOf(repository.root)];
  const before = look();
  const error: unknown = await take(repository, bundle, spec).then(
    () => "It was taken.",
    (refusal: unknown) => refusal,
  );
  expect(look()).toEqual(before);
  expect(error).toMatchObject({ code: "WORKTREE_UNUSABLE" });
  return error instanceof Refusal ? error.message : String(error);
}

test("the commits of a bundle become the branch, and nothing is checked out", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const commit = git(clone, "rev-parse", "HEAD");
  const bundle = bundleOf(clone, BRANCH, `^${repository.head}`);
  const user = hashOfUser(repository);

  const { tree } = await take(repository, bundle, { commit });
  // Sent again after a crash.
  await take(repository, bundle, { commit });

  expect(git(repository.root, "rev-parse", BRANCH, KEPT)).toBe(`${commit}\n${commit}`);
  expect(git(repository.root, "rev-parse", `${BRANCH}^{tree}`)).toBe(tree);
  expect(hashOfUser(repository)).toBe(user);
  expect(git(repository.root, "fsck", "--strict")).toBe("");
});

test("without new commits the branch is at the base", async () => {
  const repository = aRepository();
  await take(repository, Buffer.alloc(0), {});
  expect(ownBranches(repository)).toEqual([BRANCH]);
  expect(git(repository.root, "rev-parse", BRANCH)).toBe(repository.head);
});

test("a bundle with another ref, more refs or another commit is refused", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const commit = git(clone, "rev-parse", "HEAD");
  const after = `^${repository.head}`;
  git(clone, "branch", "main-2");
  const others = /other branches or commits/;
  expect(await whyRefused(repository, bundleOf(clone, "main-2", after), { commit })).toMatch(
    others,
  );
  expect(
    await whyRefused(repository, bundleOf(clone, BRANCH, "main-2", after), { commit }),
  ).toMatch(others);
  const right = bundleOf(clone, BRANCH, after);
  expect(await whyRefused(repository, right, { commit: "c".repeat(40) })).toMatch(others);
});

test("a bundle whose commits are not on top of the base is refused", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  git(clone, "checkout", "-q", "--orphan", "other");
  git(clone, "commit", "-q", "-m", "history of its own");
  git(clone, "branch", "-f", BRANCH);
  const commit = git(clone, "rev-parse", "HEAD");
  expect(await whyRefused(repository, bundleOf(clone, BRANCH), { commit })).toMatch(/not on top/);
});

test("a bundle that builds on commits which the repository has not got is refused", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const missing = git(clone, "rev-parse", "HEAD");
  git(clone, "commit", "-q", "--allow-empty", "-m", "more");
  const commit = git(clone, "rev-parse", "HEAD");
  const bundle = bundleOf(clone, BRANCH, `^${missing}`);
  expect(await whyRefused(repository, bundle, { commit })).toMatch(/git refuses it/);
});

test("a damaged, short, long or too large bundle is refused", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const commit = git(clone, "rev-parse", "HEAD");
  const good = bundleOf(clone, BRANCH, `^${repository.head}`);
  const damaged = Buffer.from(good);
  damaged.writeUInt8(damaged.readUInt8(good.length - 30) ^ 0xff, good.length - 30);
  expect(await whyRefused(repository, damaged, { commit })).toMatch(/git refuses it/);
  expect(await whyRefused(repository, Buffer.from("nonsense"), { commit })).toMatch(/not a bundle/);
  expect(await whyRefused(repository, good, { commit, bytes: good.length + 1 })).toMatch(
    /ends too early/,
  );
  expect(await whyRefused(repository, good, { commit, bytes: good.length - 1 })).toMatch(
    /longer than announced/,
  );
  expect(await whyRefused(repository, good, { commit, bytes: 600 * 1024 ** 2 })).toMatch(/600 MB/);
});

test("a bundle with a tree that would write into .git is refused", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const inside = (input: string, ...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: clone, input, encoding: "utf8" }).trim();
  const blob = inside("#!/bin/sh\n", "hash-object", "-w", "--stdin");
  const hooks = inside(`100755 blob ${blob}\tpost-checkout\n`, "mktree");
  const tree = inside(`040000 tree ${hooks}\t.git\n`, "mktree");
  const commit = git(clone, "commit-tree", tree, "-p", repository.head, "-m", "hostile");
  git(clone, "update-ref", `refs/heads/${BRANCH}`, commit);
  const bundle = bundleOf(clone, BRANCH, `^${repository.head}`);
  expect(await whyRefused(repository, bundle, { commit })).toMatch(/git refuses it/);
});

test("a branch that people moved or checked out is left as it is", async () => {
  const repository = aRepository();
  const clone = aClone(repository);
  const commit = git(clone, "rev-parse", "HEAD");
  const bundle = bundleOf(clone, BRANCH, `^${repository.head}`);
  git(repository.root, "checkout", "-q", "-b", BRANCH);
  await expect(take(repository, bundle, { commit })).rejects.toThrow(/is checked out in/);
  repository.commit({ "mine.txt": "mine\n" });
  git(repository.root, "checkout", "-q", "main");
  await expect(take(repository, bundle, { commit })).rejects.toThrow(/moved while/);
  expect(git(repository.root, "show", `${BRANCH}:mine.txt`)).toBe("mine");
});
