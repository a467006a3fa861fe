import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processesWith } from "../../../test/kit/processes.ts";
import { aCapture, aRepository, git, hashOfUser, write } from "../../../test/kit/repository.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { createGit } from "./create-git.ts";
import { createRunGit } from "./run-git.ts";

/** A program that takes the place of git. */
function aProgram(script: string): string {
  const path = join(aTempDir(), "git");
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && echo "git version 2.39.5" && exit\n${script}\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

test("a missing git is refused with what to install, and found once it is there", async () => {
  const repository = aRepository();
  const program = join(repository.dir, "later");
  const adapter = createGit({ directory: repository.dir, environment: process.env, program });

  await expect(adapter.find(repository.root)).rejects.toMatchObject({
    code: "GIT_UNAVAILABLE",
    hint: expect.stringContaining("2.38"),
  });
  writeFileSync(program, '#!/bin/sh\nexec git "$@"\n');
  chmodSync(program, 0o755);
  expect(await adapter.find(repository.root)).toMatchObject({ root: repository.root });
});

test("a git that is too old is refused with its version", async () => {
  const { dir, root } = aRepository();
  const program = join(dir, "old");
  writeFileSync(program, "#!/bin/sh\necho git version 2.37.9\n");
  chmodSync(program, 0o755);
  const adapter = createGit({ directory: dir, environment: process.env, program });

  await expect(adapter.find(root)).rejects.toMatchObject({
    code: "GIT_UNAVAILABLE",
    message: "git 2.37.9 is too old.",
  });
});

test("a command that hangs is killed with everything it started", async () => {
  const dir = aTempDir();
  const program = aProgram(`export HANGS="${dir}"; sleep 1000 & sh -c "sleep 1000"; wait`);
  const run = createRunGit(process.env, program);
  const hanging = run({ args: ["gc"], cwd: dir, env: {}, timeoutMs: 2_000 });
  const settled = Promise.allSettled([hanging]);
  await expect.poll(() => processesWith(`HANGS=${dir}`).length).toBeGreaterThan(1);

  expect(await settled).toMatchObject([
    { reason: { code: "REPOSITORY_UNUSABLE", message: expect.stringContaining("git gc") } },
  ]);
  await expect.poll(() => processesWith(`HANGS=${dir}`)).toEqual([]);
});

test("a command that writes without end is cut", async () => {
  const run = createRunGit(process.env, aProgram("yes"));

  const end = await run({ args: ["log"], cwd: "/", env: {}, maxBytes: 100_000 });

  expect(end.isCut).toBe(true);
  expect(end.stdout.length).toBeLessThanOrEqual(100_000);
});

test("variables of the daemon reach git only if they are on the list", async () => {
  const run = createRunGit(
    { PATH: process.env["PATH"], HOME: "/home/x", SECRET: "s", GIT_DIR: "/x", GIT_TRACE: "/x" },
    aProgram("env"),
  );

  const { stdout } = await run({ args: ["x"], cwd: "/", env: {}, config: [["a.b=c.d", "e=f"]] });

  const names = stdout
    .toString()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(names).toEqual(expect.arrayContaining(["HOME", "LC_ALL", "GIT_TERMINAL_PROMPT"]));
  expect(names).not.toContain("SECRET");
  expect(names).not.toContain("GIT_DIR");
  expect(names).not.toContain("GIT_TRACE");
  expect(stdout.toString()).toContain("GIT_CONFIG_KEY_0=a.b=c.d\n");
});

test("a directory outside a working tree has no repository, and a lost repository is refused", async () => {
  const repository = aRepository();
  const { git: adapter, common, root, dir } = repository;

  expect(await adapter.find(dir)).toBeUndefined();
  expect(await adapter.find(join(dir, "missing"))).toBeUndefined();
  expect(await adapter.find(common)).toBeUndefined();
  expect(await adapter.resolve(common, "--all")).toBeUndefined();
  expect(await adapter.resolve(common, "main")).toBe(repository.head);
  const spec = await repository.added("w1");
  rmSync(root, { recursive: true });
  await expect(adapter.addWorktree(common, spec)).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
  });
  await expect(adapter.listChanges(common, spec.base, spec.base)).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
  });
});

test("a repository without a commit is found, and its first snapshot has no parent", async () => {
  const dir = aTempDir();
  git(dir, "init", "-q", "-b", "main");
  write(dir, { "a.txt": "a\n" });
  const adapter = createGit({ directory: join(aTempDir(), "git"), environment: process.env });

  expect(await adapter.find(dir)).toMatchObject({ head: null, branch: "main" });
  const commit = await adapter.snapshot(dir, "refs/kuromajutsu/base/x", 1_000);
  expect(git(dir, "log", "--format=%P|%T", commit)).toMatch(/^\|/);
  expect(git(dir, "ls-tree", "--name-only", commit)).toBe("a.txt");
});

test("the repository of another user is refused with the command that allows it", async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) skip("only root can give a directory to another user");
  const repository = aRepository();
  chownSync(repository.root, 12_345, 12_345);
  chownSync(repository.common, 12_345, 12_345);
  const environment = { ...process.env, SUDO_UID: undefined, HOME: repository.dir };
  const adapter = createGit({ directory: repository.adapterDirectory, environment });

  await expect(adapter.find(repository.root)).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
    hint: expect.stringContaining(`safe.directory ${repository.root}`),
  });
  writeFileSync(join(repository.dir, ".gitconfig"), "[safe]\n\tdirectory = *\n");
  expect(await adapter.find(repository.root)).toMatchObject({ root: repository.root });
});

test("a full disk refuses the worktree and leaves nothing of it behind", async ({ skip }) => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`f${n}`, "x".repeat(100_000)]),
  );
  const repository = aRepository(files);
  const { git: adapter, common } = repository;
  const small = join(repository.dir, "small");
  mkdirSync(small);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small]);
  if (status !== 0) skip("no permission to mount a small file system");
  onTestFinished(() => void spawnSync("umount", ["-l", small]));
  const before = hashOfUser(repository);
  const spec = repository.worktree("w1", { path: join(small, "w1") });

  await expect(adapter.addWorktree(common, spec)).rejects.toMatchObject({ code: "DISK_FULL" });

  expect(repository.refs()).toEqual(["refs/heads/main"]);
  expect(existsSync(join(common, "worktrees", "w1"))).toBe(false);
  expect(existsSync(spec.path)).toBe(false);
  expect(hashOfUser(repository)).toBe(before);
});

test("a full disk of the repository refuses a capture, and the next one after cleaning has all files", async ({
  skip,
}) => {
  const repository = aRepository();
  const { git: adapter, common, root } = repository;
  const spec = await repository.added("w1");
  const objects = join(common, "objects");
  const copy = join(repository.dir, "objects");
  spawnSync("cp", ["-a", objects, copy]);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", objects]);
  if (status !== 0) skip("no permission to mount a small file system");
  onTestFinished(() => void spawnSync("umount", ["-l", objects]));
  spawnSync("cp", ["-a", `${copy}/.`, objects]);
  const noise = spawnSync("head", ["-c", "3000000", "/dev/urandom"], {
    maxBuffer: 4_000_000,
  }).stdout;
  write(spec.path, { "noise.bin": noise, "b.txt": "work\n" });

  await expect(adapter.capture(common, aCapture(spec))).rejects.toMatchObject({
    code: "DISK_FULL",
  });
  expect(git(root, "rev-parse", spec.branch)).toBe(repository.head);
  expect(repository.refs()).toEqual(["refs/heads/kuromajutsu/w1", "refs/heads/main"]);

  spawnSync("mount", ["-o", "remount,size=20m", objects]);
  const { commit } = await adapter.capture(common, aCapture(spec));
  expect(git(root, "ls-tree", "-r", "--name-only", commit)).toContain("noise.bin");
});
