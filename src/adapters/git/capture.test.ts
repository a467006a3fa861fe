import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aCapture,
  aRepository,
  git,
  gitStops,
  hashOfUser,
  objectsOf,
  type TestRepository,
  write,
} from "../../../test/kit/repository.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { Capture, CaptureSpec, WorktreeSpec } from "../../app/ports/git.ts";
import { createGit } from "./create-git.ts";

function capture(
  { git: adapter, common }: TestRepository,
  spec: WorktreeSpec,
  more: Partial<CaptureSpec> = {},
): Promise<Capture> {
  return adapter.capture(common, aCapture(spec, more));
}

function show(repository: TestRepository, commit: string, path: string): string {
  return git(repository.root, "show", `${commit}:${path}`);
}

function namesOf({ root }: TestRepository, commit: string): string[] {
  return git(root, "ls-tree", "-r", "-z", "--name-only", commit).split("\0").filter(Boolean);
}

test("an edit of the same size in the second of the checkout is captured", async () => {
  const repository = aRepository();
  for (let n = 0; n < 5; n++) {
    const spec = await repository.added(`w${n}`);
    const file = join(spec.path, "b.txt");
    const { atime, mtime } = statSync(file);
    writeFileSync(file, "B\n");
    // Even with the old time git must see it: the file is not older than the index.
    utimesSync(file, atime, mtime);

    const { commit } = await capture(repository, spec);

    expect(show(repository, commit, "b.txt")).toBe("B");
  }
});

test("a stale index.lock of the worktree hinders neither previews nor captures", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  const lock = join(repository.common, "worktrees", "w1", "index.lock");
  writeFileSync(lock, "");
  write(spec.path, { "b.txt": "changed\n" });

  expect(await repository.git.changedPaths(spec.path, repository.head)).toEqual(["b.txt"]);
  await repository.git.previewTree(repository.common, spec.path);
  expect(existsSync(lock)).toBe(true);
  const { commit } = await capture(repository, spec);

  expect(show(repository, commit, "b.txt")).toBe("changed");
  expect(git(spec.path, "status", "--porcelain")).toBe("");
});

test("commits of the agent stay, and the rest is committed on top of them", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  write(spec.path, { "b.txt": "by the agent\n" });
  git(spec.path, "commit", "-qam", "own");
  const own = git(spec.path, "rev-parse", "HEAD");

  expect(await capture(repository, spec)).toMatchObject({ commit: own, attention: [] });
  write(spec.path, { "b.txt": "more\n" });
  const { commit } = await capture(repository, spec);

  expect(git(repository.root, "rev-parse", `${commit}^`)).toBe(own);
  expect(git(repository.root, "rev-parse", spec.branch, "refs/kuromajutsu/change/w1/1")).toBe(
    `${commit}\n${commit}`,
  );
});

test.each(["other", null])(
  "a worktree on another branch (%s) is captured and reported",
  async (branch) => {
    const repository = aRepository();
    const spec = await repository.added("w1");
    git(spec.path, "checkout", "-q", ...(branch === null ? ["--detach"] : ["-b", branch]));
    write(spec.path, { "b.txt": "own\n" });
    git(spec.path, "commit", "-qam", "own");
    const own = git(spec.path, "rev-parse", "HEAD");
    write(spec.path, { "b.txt": "more\n" });

    const captured = await capture(repository, spec);

    expect(captured.attention).toEqual([{ type: "other_branch", branch }]);
    expect(show(repository, captured.commit, "b.txt")).toBe("more");
    expect(git(repository.root, "rev-parse", `${captured.commit}^`)).toBe(own);
    expect(git(spec.path, "rev-parse", "HEAD")).toBe(own);
    expect(await capture(repository, spec)).toEqual(captured);
  },
);

test("a renamed branch and an unborn branch lose nothing", async () => {
  const repository = aRepository();
  const renamed = await repository.added("w1");
  git(renamed.path, "branch", "-m", "mine");
  write(renamed.path, { "b.txt": "more\n" });
  expect(show(repository, (await capture(repository, renamed)).commit, "b.txt")).toBe("more");

  const unborn = await repository.added("w2");
  git(unborn.path, "checkout", "-q", "--orphan", "fresh");
  write(unborn.path, { "b.txt": "more\n" });
  const { commit, attention } = await capture(repository, unborn);
  expect(show(repository, commit, "b.txt")).toBe("more");
  expect(attention).toEqual([{ type: "other_branch", branch: "fresh" }]);
});

test("a worktree without its .git file is refused, and no parent repository is written", async () => {
  const repository = aRepository();
  // The data directory is inside the user's repository: git would find the parent.
  const spec = await repository.added("w1", { path: join(repository.root, "data", "w1") });
  rmSync(join(spec.path, ".git"));
  write(spec.path, { "b.txt": "more\n" });
  const before = hashOfUser(repository);

  await expect(capture(repository, spec)).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
    message: expect.stringContaining(".git file was deleted"),
  });
  await expect(repository.git.changedPaths(spec.path, repository.head)).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
  });
  expect(await repository.git.inspectWorktree(repository.common, spec)).toEqual({
    state: "damaged",
    reason: "link_gone",
  });
  expect(hashOfUser(repository)).toBe(before);
  expect(git(repository.root, "rev-parse", spec.branch)).toBe(repository.head);
});

test("flags of the index cannot hide an edit", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  git(spec.path, "update-index", "--assume-unchanged", "a.txt");
  git(spec.path, "update-index", "--skip-worktree", "b.txt");
  write(spec.path, { "a.txt": "hidden\n", "b.txt": "hidden\n" });

  const { commit } = await capture(repository, spec);

  expect(show(repository, commit, "a.txt")).toBe("hidden");
  expect(show(repository, commit, "b.txt")).toBe("hidden");
});

test("a merge that stopped at a conflict is captured with its files as they are", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  write(spec.path, { "b.txt": "ours\n" });
  git(spec.path, "commit", "-qam", "ours");
  const theirs = repository.commit({ "b.txt": "theirs\n" });
  gitStops(spec.path, "merge", "-q", theirs);

  const { commit } = await capture(repository, spec);

  expect(show(repository, commit, "b.txt")).toContain("<<<<<<<");
});

test("nested repositories, large files and special files are left out, and the answer names them", async () => {
  const repository = aRepository({ "a.txt": "a\n", ".gitignore": "ignored/\n" });
  const spec = await repository.added("w1");
  mkdirSync(join(spec.path, "nested"));
  git(join(spec.path, "nested"), "init", "-q");
  write(spec.path, { "nested/inside.txt": "x\n", "ignored/x.txt": "x\n", "small.txt": "s\n" });
  writeFileSync(join(spec.path, "large.bin"), Buffer.alloc(60 * 1024 * 1024));
  execFileSync("mkfifo", [join(spec.path, "pipe")]);
  symlinkSync("/etc/passwd", join(spec.path, "out"));

  const { commit, attention } = await capture(repository, spec);

  expect(namesOf(repository, commit)).toEqual([".gitignore", "a.txt", "out", "small.txt"]);
  expect(attention).toEqual([
    { type: "nested_repository", path: "nested" },
    { type: "file_too_large", path: "large.bin", bytes: 60 * 1024 * 1024 },
  ]);
  const changes = await repository.git.listChanges(repository.common, repository.head, commit);
  expect(changes.find(({ path }) => path === "out")).toMatchObject({
    kind: "symlink",
    status: "added",
    leavesTree: true,
  });
});

test("a nested repository that the agent has committed as a link is taken out and reported", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  mkdirSync(join(spec.path, "nested"));
  git(join(spec.path, "nested"), "init", "-q");
  write(join(spec.path, "nested"), { "x.txt": "x\n" });
  git(join(spec.path, "nested"), "add", "-A");
  git(join(spec.path, "nested"), "commit", "-qm", "nested");
  git(spec.path, "add", "-A");
  git(spec.path, "commit", "-qm", "own");

  const { commit, attention } = await capture(repository, spec);

  expect(attention).toEqual([{ type: "nested_repository", path: "nested" }]);
  expect(namesOf(repository, commit)).toEqual(["a.txt", "b.txt", "src/c.ts"]);
});

test("more new files than the limit are left out and counted", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  for (let n = 0; n < 2_001; n++) writeFileSync(join(spec.path, `n${n}`), "");
  write(spec.path, { "b.txt": "changed\n" });

  const { commit, attention } = await capture(repository, spec);

  expect(namesOf(repository, commit)).toEqual(["a.txt", "b.txt", "src/c.ts"]);
  expect(show(repository, commit, "b.txt")).toBe("changed");
  expect(attention).toEqual([{ type: "too_many_new_files", count: 2_001 }]);
});

test("unusual names, modes, deletions and line endings are captured exactly", async () => {
  const repository = aRepository({
    "keep.txt": "k\n",
    "crlf.txt": "a\nb\n",
    "tool.sh": "#!/bin/sh\n",
    "gone/a.txt": "a\n",
    "becomes-folder": "f\n",
    "becomes-link/x.txt": "x\n",
  });
  const spec = await repository.added("w1");
  const names = ["tab\there", "line\nbreak", "-rf", "日本語.txt", "絵文字🎉", ":(glob)*", "sp ace"];
  for (const name of names) writeFileSync(join(spec.path, name), "new\n");
  const broken = Buffer.concat([Buffer.from(`${spec.path}/`), Buffer.from([0x62, 0xff, 0x62])]);
  writeFileSync(broken, "broken\n");
  write(spec.path, { "crlf.txt": "a\r\nb\r\n" });
  chmodSync(join(spec.path, "tool.sh"), 0o755);
  rmSync(join(spec.path, "gone"), { recursive: true });
  unlinkSync(join(spec.path, "becomes-folder"));
  write(spec.path, { "becomes-folder/inside.txt": "i\n" });
  rmSync(join(spec.path, "becomes-link"), { recursive: true });
  symlinkSync("keep.txt", join(spec.path, "becomes-link"));

  const { commit, attention } = await capture(repository, spec);
  const changes = await repository.git.listChanges(repository.common, repository.head, commit);

  expect(attention).toEqual([]);
  expect(git(spec.path, "status", "--porcelain")).toBe("");
  const byPath = new Map(changes.map((change) => [change.path, change]));
  for (const name of names) {
    expect(byPath.get(name)).toMatchObject({ status: "added", added: 1, removed: 0 });
    const bytes = await repository.git.readFile(repository.common, commit, name, 100);
    expect(Buffer.from(bytes ?? "").toString()).toBe("new\n");
  }
  expect(changes.some(({ path }) => path === "b\ufffdb")).toBe(true);
  expect(byPath.get("crlf.txt")).toMatchObject({ lineEndingsOnly: true, added: 2, removed: 2 });
  expect(byPath.get("tool.sh")).toMatchObject({ modeChanged: true, lineEndingsOnly: false });
  expect(byPath.get("gone/a.txt")).toMatchObject({ status: "deleted" });
  expect(byPath.get("becomes-folder/inside.txt")).toBeDefined();
  expect(byPath.get("becomes-link")).toMatchObject({ kind: "symlink", leavesTree: false });
});

/** A repository with the submodule `lib`, and a worktree in which it is checked out. */
async function aWorktreeWithSubmodule() {
  const repository = aRepository();
  const { root } = repository;
  const local = ["-c", "protocol.file.allow=always", "submodule"];
  git(root, ...local, "add", "-q", aRepository().root, "lib");
  git(root, "commit", "-qm", "submodule");
  const base = git(root, "rev-parse", "HEAD");
  const spec = await repository.added("w1", { base });
  git(spec.path, ...local, "update", "-q", "--init");
  return { repository, base, spec, lib: join(spec.path, "lib") };
}

test("a commit in a submodule is captured as a link, and reported until it is pushed", async () => {
  const { repository, base, spec, lib } = await aWorktreeWithSubmodule();
  expect(await capture(repository, spec)).toMatchObject({ commit: base, attention: [] });
  write(lib, { "a.txt": "new\n" });
  git(lib, "commit", "-qam", "bump");
  const bump = git(lib, "rev-parse", "HEAD");

  const { commit, attention } = await capture(repository, spec);

  expect(attention).toEqual([{ type: "submodule_work", path: "lib" }]);
  expect(git(repository.root, "rev-parse", `${commit}:lib`)).toBe(bump);
  const changes = await repository.git.listChanges(repository.common, base, commit);
  expect(changes).toMatchObject([{ path: "lib", kind: "submodule", status: "modified" }]);
  git(lib, "push", "-q", "origin", "HEAD:refs/heads/bump");
  expect((await capture(repository, spec)).attention).toEqual([]);
});

test.each([
  ["an edited file", (lib: string) => write(lib, { "a.txt": "edited\n" })],
  ["a new file", (lib: string) => write(lib, { "new.txt": "new\n" })],
  [
    "a staged file",
    (lib: string) => {
      write(lib, { "staged.txt": "staged\n" });
      git(lib, "add", "-A");
    },
  ],
  ["a lost git directory", (lib: string) => writeFileSync(join(lib, ".git"), "gitdir: ../none\n")],
])("%s in a submodule is reported", async (_, change) => {
  const { repository, spec, lib } = await aWorktreeWithSubmodule();
  change(lib);

  expect((await capture(repository, spec)).attention).toEqual([
    { type: "submodule_work", path: "lib" },
  ]);
});

test("a removal keeps the files of a submodule that exist only in the worktree", async () => {
  const { repository, spec, lib } = await aWorktreeWithSubmodule();
  const { git: adapter, common, root } = repository;
  write(lib, { "a.txt": "committed\n" });
  git(lib, "commit", "-qam", "local");
  write(lib, { "b.txt": "edited\n", "src/new.txt": "new\n" });

  await adapter.removeWorktree(common, spec, "refs/kuromajutsu/saved/w1");

  const saved = "refs/kuromajutsu/saved/w1";
  expect(git(root, "show", `${saved}:lib/a.txt`)).toBe("committed");
  expect(git(root, "show", `${saved}:lib/b.txt`)).toBe("edited");
  expect(git(root, "show", `${saved}:lib/src/new.txt`)).toBe("new");
  expect(existsSync(spec.path)).toBe(false);
});

test("a tracked file that became a pipe is captured as deleted and does not stop the rest", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  unlinkSync(join(spec.path, "a.txt"));
  execFileSync("mkfifo", [join(spec.path, "a.txt")]);
  write(spec.path, { "b.txt": "edited\n" });

  const { commit } = await capture(repository, spec);

  expect(namesOf(repository, commit)).toEqual(["b.txt", "src/c.ts"]);
  expect(show(repository, commit, "b.txt")).toBe("edited");
  await repository.git.removeWorktree(repository.common, spec, "refs/kuromajutsu/saved/w1");
  expect(existsSync(spec.path)).toBe(false);
});

test("a file of another user is left out and named, and does not stop the rest", async () => {
  const within = aTempDir();
  const repository = aRepository(undefined, within);
  const spec = await repository.added("w1");
  write(spec.path, { "secret.txt": "of another user\n", "b.txt": "edited\n" });
  chmodSync(join(spec.path, "secret.txt"), 0);

  const { commit, attention } = await asPlainUser(within, join(spec.path, "secret.txt"), () =>
    capture(repository, spec),
  );

  expect(attention).toEqual([{ type: "file_unreadable", path: "secret.txt" }]);
  expect(show(repository, commit, "b.txt")).toBe("edited");
  expect(namesOf(repository, commit)).not.toContain("secret.txt");
});

/** Root may read every file, so root works as a user who owns everything but one file. */
async function asPlainUser<T>(folder: string, except: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  const nobody = execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }).trim();
  execFileSync("chown", ["-R", nobody, folder]);
  chownSync(except, 0, 0);
  process.seteuid?.(Number(nobody));
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    execFileSync("chown", ["-R", "0", folder]);
  }
}

test("a worktree in which most files are gone is captured and reported", async () => {
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, "x\n"]));
  const repository = aRepository(files);
  const spec = await repository.added("w1");
  for (let n = 0; n < 6; n++) unlinkSync(join(spec.path, `f${n}`));

  const { attention } = await capture(repository, spec);

  expect(attention).toEqual([{ type: "mass_deletion", deleted: 6, total: 10 }]);
});

test("previews add no object to the repository, take no lock and can be merged and compared", async () => {
  const repository = aRepository();
  const { common, head } = repository;
  const [one, two] = [await repository.added("w1"), await repository.added("w2")];
  write(one.path, { "a.txt": "ONE\ntwo\nthree\n", "new.txt": "n\n" });
  write(two.path, { "a.txt": "1\ntwo\nthree\n" });
  const before = [objectsOf(repository.root), hashOfUser(repository)];

  const trees = await Promise.all(
    [one, two].map(({ path }) => repository.git.previewTree(common, path)),
  );
  const [ours = "", theirs = ""] = await Promise.all(
    trees.map((tree) => repository.git.previewCommit(common, tree, head)),
  );
  const previews = await repository.git.previewMerges(common, [{ ours, theirs }]);

  expect(previews).toEqual([{ clean: false, conflicts: [{ path: "a.txt", type: "contents" }] }]);
  expect(await repository.git.listChanges(common, head, trees[0] ?? "")).toMatchObject([
    { path: "a.txt", status: "modified" },
    { path: "new.txt", status: "added" },
  ]);
  expect([objectsOf(repository.root), hashOfUser(repository)]).toEqual(before);
  // What a preview has stored elsewhere must still reach the repository with the capture.
  const { commit } = await capture(repository, one);
  expect(git(repository.root, "fsck", "--connectivity-only", commit)).toBe("");
});

test("old objects of previews and temporary files of a killed process are removed", async () => {
  const repository = aRepository();
  const spec = await repository.added("w1");
  write(spec.path, { "new.txt": "new\n" });
  const tree = await repository.git.previewTree(repository.common, spec.path);
  const [name = ""] = readdirSync(repository.adapterDirectory);
  const own = join(repository.adapterDirectory, name);
  const object = join(own, "objects", tree.slice(0, 2), tree.slice(2));
  mkdirSync(join(own, "tmp", "left"));
  for (const path of [object, join(own, "tmp", "left")]) utimesSync(path, 0, 0);

  const next = createGit({ directory: repository.adapterDirectory, environment: process.env });
  await next.changedPaths(spec.path, repository.head);

  expect(existsSync(object)).toBe(false);
  expect(readdirSync(join(own, "tmp"))).toEqual([]);
  expect(await next.previewTree(repository.common, spec.path)).toBe(tree);
});

test("a snapshot holds the user's uncommitted work and changes nothing of theirs", async () => {
  const repository = aRepository({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.log\n" });
  const { root } = repository;
  write(root, { "a.txt": "staged\n" });
  git(root, "add", "a.txt");
  write(root, { "a.txt": "edited\n", "new.txt": "n\n", "x.log": "l\n" });
  unlinkSync(join(root, "b.txt"));
  const before = hashOfUser(repository);

  const commit = await repository.git.snapshot(root, "refs/kuromajutsu/base/w1", 1_000_000);

  expect(hashOfUser(repository)).toBe(before);
  expect(namesOf(repository, commit)).toEqual([".gitignore", "a.txt", "new.txt"]);
  expect(show(repository, commit, "a.txt")).toBe("edited");
  expect(git(root, "rev-parse", `${commit}^`)).toBe(repository.head);
  git(root, "gc", "-q", "--prune=now");
  expect(show(repository, commit, "new.txt")).toBe("n");
});
