import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aCapture,
  aRepository,
  git,
  hashOfUser,
  write,
  type TestRepository,
} from "../../../test/kit/repository.ts";
import { createGit } from "./create-git.ts";

const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "reference-transaction",
];

/** Every trap is a script that leaves a file with its name. */
function aTrapMaker(repository: TestRepository) {
  const marks = join(repository.dir, "marks");
  mkdirSync(marks);
  const trap = (name: string): string => {
    const path = join(repository.dir, `trap-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch "${join(marks, name)}"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const sprung = (): string[] => readdirSync(marks).sort();
  return { trap, sprung, reset: () => sprung().forEach((name) => rmSync(join(marks, name))) };
}

/** What an agent can write into the configuration of a git directory. */
function plant(gitDirectory: string, trap: (name: string) => string, name: string): void {
  const hooks = join(gitDirectory, "hooks");
  mkdirSync(hooks, { recursive: true });
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\n"${trap(`${name}-hook-${hook}`)}"\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const filter = (driver: string): string => `[filter "${driver}"]
	clean = ${trap(`${name}-clean`)}
	smudge = ${trap(`${name}-smudge`)}
	required = true
`;
  const included = join(gitDirectory, "included");
  writeFileSync(included, filter("in=cl.uded"));
  appendFileSync(
    join(gitDirectory, "config"),
    `[core]
	fsmonitor = ${trap(`${name}-fsmonitor`)}
	pager = ${trap(`${name}-pager`)}
	editor = ${trap(`${name}-editor`)}
	askPass = ${trap(`${name}-askpass`)}
	sshCommand = ${trap(`${name}-ssh`)}
	alternateRefsCommand = ${trap(`${name}-alternates`)}
[credential]
	helper = ${trap(`${name}-credential`)}
[commit]
	gpgSign = true
[merge]
	verifySignatures = true
[gpg]
	program = ${trap(`${name}-gpg`)}
[gc]
	auto = 1
[submodule]
	recurse = true
[diff]
	external = ${trap(`${name}-external`)}
[diff "evil"]
	command = ${trap(`${name}-diff`)}
	textconv = ${trap(`${name}-textconv`)}
[merge "evil"]
	driver = ${trap(`${name}-merge`)}
[filter "process"]
	process = ${trap(`${name}-process`)}
	required = true
[include]
	path = ${included}
[branch "main"]
	mergeoptions = --squash
${filter("evil")}`,
  );
  writeFileSync(
    join(gitDirectory, "info", "attributes"),
    "*.evil filter=evil\n*.inc filter=in=cl.uded\n*.proc filter=process\n* diff=evil merge=evil\n",
  );
}

const ATTRIBUTES =
  "*.evil filter=evil\n*.inc filter=in=cl.uded\n*.proc filter=process\n* diff=evil merge=evil\n";

function aHostileRepository() {
  const repository = aRepository({
    ".gitattributes": ATTRIBUTES,
    "a.txt": "one\ntwo\nthree\n",
    "a.evil": "evil\n",
    "a.inc": "inc\n",
    "a.proc": "proc\n",
  });
  const traps = aTrapMaker(repository);
  const hostile = {
    GIT_EXTERNAL_DIFF: traps.trap("env-external"),
    GIT_SSH_COMMAND: traps.trap("env-ssh"),
  };
  const environment = {
    ...process.env,
    ...hostile,
    GIT_DIR: "/nonexistent",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: traps.trap("env-fsmonitor"),
    GIT_PAGER: traps.trap("env-pager"),
  };
  const adapter = createGit({ directory: repository.adapterDirectory, environment });
  return { ...repository, ...traps, git: adapter };
}

/** A commit on another branch that edits the first line of a.txt as well. */
function aRival({ root, commit }: TestRepository): string {
  git(root, "checkout", "-q", "-b", "rival");
  const id = commit({ "a.txt": "rival\ntwo\nthree\n" });
  git(root, "checkout", "-q", "main");
  return id;
}

test("no program named by the repository, its nested repositories or the environment runs", async () => {
  const repository = aHostileRepository();
  const { root, common, head, trap } = repository;
  const other = aRival(repository);
  plant(common, trap, "main");
  const adapter = repository.git;
  const before = hashOfUser(repository);

  const spec = repository.worktree("w1");
  await adapter.find(root);
  await adapter.resolve(common, "main");
  await adapter.snapshot(root, "refs/kuromajutsu/base/w1", 1_000);
  await adapter.addWorktree(common, spec);
  write(spec.path, {
    "a.txt": "ONE\ntwo\nthree\n",
    "a.evil": "EVIL\n",
    "a.inc": "INC\n",
    "a.proc": "P\n",
  });
  mkdirSync(join(spec.path, "nested"));
  git(join(spec.path, "nested"), "init", "-q");
  write(join(spec.path, "nested"), { "x.evil": "x\n", ".gitattributes": ATTRIBUTES });
  git(join(spec.path, "nested"), "add", "x.evil");
  git(join(spec.path, "nested"), "commit", "-qm", "nested");
  plant(join(spec.path, "nested", ".git"), trap, "nested");
  write(join(spec.path, "nested"), { "x.evil": "y\n" });
  // The agent has put the nested repository into its own index: git would look into it.
  const oid = git(root, "rev-parse", "HEAD");
  git(
    spec.path,
    "-c",
    "core.fsmonitor=false",
    "update-index",
    "--add",
    "--cacheinfo",
    `160000,${oid},nested`,
  );
  repository.reset();
  await adapter.inspectWorktree(common, spec);
  await adapter.changedPaths(spec.path, head);
  const tree = await adapter.previewTree(common, spec.path);
  const preview = await adapter.previewCommit(common, tree, head);
  const { commit, attention } = await adapter.capture(common, aCapture(spec));
  await adapter.listChanges(common, head, commit);
  await adapter.filePatch(common, head, commit, { path: "a.txt", from: null }, 10_000);
  const content = await adapter.readFile(common, commit, "a.evil", 100);
  const [merged, rival] = await adapter.previewMerges(common, [
    { ours: preview, theirs: commit },
    { ours: other, theirs: commit },
  ]);
  for (const mode of ["squash", "merge", "rebase"] as const) {
    const at = { message: "m\n", author: { name: "n", email: "n@x.invalid" }, at: 0 };
    await adapter.buildMerge(common, { onto: head, change: commit, base: head, mode, ...at });
  }
  await adapter.prepareIntegration(common, join(repository.dir, "data", "check"), "check", commit);
  await adapter.keep(common, "refs/kuromajutsu/x", commit);
  await adapter.fingerprint(common);
  await adapter.removeWorktree(common, spec, "refs/kuromajutsu/saved/w1");
  await adapter.deleteBranch(common, spec.branch, commit);
  await adapter.forget(common, ["refs/kuromajutsu/x"]);
  expect(hashOfUser(repository)).toBe(before);
  expect(await adapter.moveBranch(common, "rival", other, commit)).toEqual({ result: "moved" });

  expect(repository.sprung()).toEqual([]);
  expect(merged).toMatchObject({ clean: true });
  expect(rival).toEqual({ clean: false, conflicts: [{ path: "a.txt", type: "contents" }] });
  expect(attention).toEqual([{ type: "nested_repository", path: "nested" }]);
  expect(Buffer.from(content ?? "").toString()).toBe("EVIL\n");
});

test("a fast-forward of a hostile checkout runs no hook, filter or signature check", async () => {
  const repository = aHostileRepository();
  const { root, common, head } = repository;
  const spec = repository.worktree("w1");
  await repository.git.addWorktree(common, spec);
  write(spec.path, { "new.txt": "new\n" });
  const { commit } = await repository.git.capture(common, aCapture(spec));
  // A file of the same size in the second of the checkout: git must compare its contents.
  write(root, { "a.evil": "EVIL\n" });
  plant(common, repository.trap, "main");
  repository.reset();

  expect(await repository.git.fastForwardCheckout(root, "main", head, commit)).toEqual({
    result: "moved",
  });

  expect(repository.sprung()).toEqual([]);
  expect(git(root, "-c", "core.fsmonitor=false", "rev-parse", "HEAD")).toBe(commit);
});

test("the traps of this suite spring when the user's own git runs", () => {
  const repository = aHostileRepository();
  const { root } = repository;
  aRival(repository);
  repository.commit({ "a.txt": "main\ntwo\nthree\n" });
  plant(repository.common, repository.trap, "main");
  write(root, { "a.evil": "EVIL\n", "a.proc": "PROC\n" });
  const commands = [
    ["status"],
    ["merge-tree", "--write-tree", "main", "rival"],
    ["checkout", "-b", "x"],
  ];
  for (const args of commands) {
    try {
      git(root, ...args);
    } catch {
      // A trap answers nothing useful.
    }
  }
  expect(repository.sprung()).toEqual(
    expect.arrayContaining([
      "main-clean",
      "main-fsmonitor",
      "main-hook-post-checkout",
      "main-hook-reference-transaction",
      "main-merge",
    ]),
  );
});
