import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepWorkspaces } from "../../src/app/workspaces/sweep-workspaces.ts";
import { aCore, aRole } from "../kit/core.ts";
import { anIsolatedAgent, settled, workspaceOf } from "../kit/isolated-agents.ts";
import { locksOf } from "../kit/locks.ts";
import { aMergeCore } from "../kit/merges.ts";
import {
  aCapture,
  aRepository,
  expectPrepared,
  git,
  hashOfUser,
  ownBranches,
  write,
  type TestRepository,
} from "../kit/repository.ts";
import { fill, mountSmall } from "../kit/small-disk.ts";
import { aTempDir } from "../kit/tmp-dir.ts";

const NOT_ROOT = "no permission to mount a small file system";
const FULL = { code: "DISK_FULL" };
/** Text that git cannot compress to nothing, in many files: a checkout needs blocks for each. */
const FILES = Object.fromEntries(
  Array.from({ length: 100 }, (_, n) => [
    `d${n % 5}/f${n}.txt`,
    `${n} ${Math.sin(n)}\n`.repeat(90),
  ]),
);

type Full = TestRepository & {
  /** Leaves so many kilobytes. */
  readonly fill: (kilobytes?: number) => void;
  readonly free: () => void;
};

/** undefined: only root can mount a disk. The repository, its worktrees and the temporary files of the adapter are on one small disk. */
function aSmallRepository(): Full | undefined {
  const dir = join(aTempDir(), "disk");
  if (!mountSmall(dir, 8)) return undefined;
  const repository = aRepository(FILES, dir);
  const filler = join(dir, "filler");
  return {
    ...repository,
    fill(kilobytes = 0) {
      fill(filler);
      truncateSync(filler, statSync(filler).size - kilobytes * 1_024);
    },
    free: () => rmSync(filler, { force: true }),
  };
}

/** The disk is full at the ref, at the files of the entry, and in the middle of the checkout. */
test.for([0, 8, 24, 48, 200])(
  "a worktree that does not fit into %s kB is refused and leaves no branch, entry, directory or lock",
  async (kilobytes, { skip }) => {
    const repository = aSmallRepository();
    if (!repository) return skip(NOT_ROOT);
    const { git: adapter, common } = repository;
    const spec = repository.worktree("w1");
    await repository.added("first");
    const before = hashOfUser(repository);
    repository.fill(kilobytes);

    await expect(adapter.addWorktree(common, spec)).rejects.toMatchObject(FULL);

    expect(existsSync(spec.path)).toBe(false);
    expect(ownBranches(repository)).toEqual(["kuromajutsu/first"]);
    expect(readdirSync(join(common, "worktrees"))).toEqual(["first"]);
    expect(locksOf(common)).toEqual([]);
    repository.free();
    expect(hashOfUser(repository)).toBe(before);
    await repository.added("w1");
    await expectPrepared(repository, "w1");
  },
);

test("a snapshot, a capture and a removal on a full disk are refused, and the next one has everything", async ({
  skip,
}) => {
  const repository = aSmallRepository();
  if (!repository) return skip(NOT_ROOT);
  const { git: adapter, common, root } = repository;
  const spec = await repository.added("w1");
  write(spec.path, { "new.txt": "n\n", "d0/f0.txt": "edited\n" });
  write(root, { "draft.txt": "mine\n" });
  const user = hashOfUser(repository);
  repository.fill();

  const saved = "refs/kuromajutsu/saved/w1";
  const base = "refs/kuromajutsu/base/w1";
  await expect(adapter.snapshot(root, base, 0)).rejects.toMatchObject(FULL);
  await expect(adapter.capture(common, aCapture(spec))).rejects.toMatchObject(FULL);
  await expect(adapter.removeWorktree(common, spec, saved)).rejects.toMatchObject(FULL);

  expect(readFileSync(join(spec.path, "new.txt"), "utf8")).toBe("n\n");
  expect(repository.refs()).toEqual(["refs/heads/kuromajutsu/w1", "refs/heads/main"]);
  expect(git(root, "rev-parse", spec.branch)).toBe(repository.head);
  expect(locksOf(common)).toEqual([]);
  repository.free();
  expect(hashOfUser(repository)).toBe(user);
  const snapshot = await adapter.snapshot(root, base, 0);
  expect(git(root, "show", `${snapshot}:draft.txt`)).toBe("mine");
  const { commit } = await adapter.capture(common, aCapture(spec));
  expect(git(root, "diff", "--name-only", repository.head, commit)).toBe("d0/f0.txt\nnew.txt");
  await adapter.removeWorktree(common, spec, saved);
  expect(git(root, "rev-parse", `${saved}^{tree}`)).toBe(
    git(root, "rev-parse", `${commit}^{tree}`),
  );
  git(root, "fsck", "--connectivity-only", "--no-dangling");
});

test("an agent that ends on a full disk keeps its files, and they are captured when there is space", async ({
  skip,
}) => {
  const repository = aSmallRepository();
  if (!repository) return skip(NOT_ROOT);
  const plain = await aCore();
  const core = await aCore({
    roles: [aRole({ isolation: "worktree" })],
    settings: {
      workspace: { ...plain.settings.workspace, root: join(repository.dir, "data", "work") },
    },
  });
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "kept\n" });
  repository.fill();
  await settled(core, agent);

  expect(await workspaceOf(core, agent)).toMatchObject({
    status: "damaged",
    attention: [{ type: "damaged", reason: expect.stringContaining("disk is full") }],
  });
  await sweepWorkspaces(core);
  expect(readFileSync(join(workspace.path, "new.txt"), "utf8")).toBe("kept\n");
  repository.free();
  await sweepWorkspaces(core);

  expect(await workspaceOf(core, agent)).toMatchObject({
    status: "captured",
    version: 1,
    attention: [],
  });
  expect(git(repository.root, "show", `${workspace.branch}:new.txt`)).toBe("kept");
});

test("a merge on a full disk stays queued with the reason, moves nothing, and lands later", async ({
  skip,
}) => {
  const repository = aSmallRepository();
  if (!repository) return skip(NOT_ROOT);
  git(repository.root, "checkout", "-q", "--detach");
  const it = await aMergeCore({ repository, closed: true, workspace: { check: "true" } });
  const { id } = await it.approved(await it.change("aa-01", { "1.txt": "1\n" }));
  const tip = it.tip();
  repository.fill();

  it.queue.open();
  await it.settle();

  expect(await it.merge(id)).toMatchObject({
    status: "queued",
    problem: { type: "refused", en: expect.stringContaining("The disk is full") },
  });
  expect(it.tip()).toBe(tip);
  expect(locksOf(repository.common)).toEqual([]);
  repository.free();
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
  expect(git(repository.root, "show", "main:1.txt")).toBe("1");
});
