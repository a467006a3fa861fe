import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { createGit } from "../../src/adapters/git/create-git.ts";
import type { CaptureSpec, Git, WorktreeSpec } from "../../src/app/ports/git.ts";
import { aTempDir } from "./tmp-dir.ts";

/** The user's own git: with hooks and filters, but without the configuration of this machine. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", env: USER, stdio: "pipe" }).trimEnd();
}

/** A command of the user that must stop, for example at a conflict. */
export function gitStops(cwd: string, ...args: readonly string[]): void {
  try {
    git(cwd, ...args);
  } catch {
    return;
  }
  throw new Error(`git ${args.join(" ")} did not stop.`);
}

const USER = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Hana",
  GIT_AUTHOR_EMAIL: "hana@example.com",
  GIT_COMMITTER_NAME: "Hana",
  GIT_COMMITTER_EMAIL: "hana@example.com",
};

export type Files = Readonly<Record<string, string | Buffer>>;

export function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export type TestRepository = {
  readonly dir: string;
  readonly root: string;
  readonly common: string;
  readonly head: string;
  readonly git: Git;
  readonly adapterDirectory: string;
  worktree(id: string, more?: Partial<WorktreeSpec>): WorktreeSpec;
  /** A worktree that is there. */
  added(id: string, more?: Partial<WorktreeSpec>): Promise<WorktreeSpec>;
  /** Commits in the user's checkout and answers the id. */
  readonly commit: (files: Files, message?: string) => string;
  readonly refs: () => string[];
};

const FILES: Files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "src/c.ts": "export {};\n" };

/** A repository with one commit, and the adapter with a data directory beside it. */
export function aRepository(files: Files = FILES, within = aTempDir()): TestRepository {
  const dir = realpathSync(within);
  const root = join(dir, "repository");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  const common = join(root, ".git");
  const adapterDirectory = join(dir, "data", "git");
  const adapter = createGit({ directory: adapterDirectory, environment: process.env });
  const head = git(root, "rev-parse", "HEAD");
  const worktree: TestRepository["worktree"] = (id, more = {}) => ({
    id,
    path: join(dir, "data", "work", id),
    branch: `kuromajutsu/${id}`,
    base: head,
    ...more,
  });
  return {
    dir,
    root,
    common,
    head,
    git: adapter,
    adapterDirectory,
    worktree,
    async added(id, more) {
      const spec = worktree(id, more);
      await adapter.addWorktree(common, spec);
      return spec;
    },
    commit(changed, message = "next") {
      write(root, changed);
      git(root, "add", "-A");
      git(root, "commit", "-q", "-m", message);
      return git(root, "rev-parse", "HEAD");
    },
    refs: () => git(root, "for-each-ref", "--format=%(refname)").split("\n").filter(Boolean),
  };
}

export function aCapture(worktree: WorktreeSpec, more: Partial<CaptureSpec> = {}): CaptureSpec {
  return {
    worktree,
    keepAs: `refs/kuromajutsu/change/${worktree.id}/1`,
    message: "Change the greeting\n",
    author: { name: "impl-code (rehearsal)", email: "impl-code@kuromajutsu.invalid" },
    limits: { maxFileBytes: 10 * 1024 * 1024, maxNewFiles: 2_000 },
    at: 1_794_733_200_000,
    ...more,
  };
}

const OWN = /^(refs\/kuromajutsu|refs\/heads\/kuromajutsu|logs\/refs\/heads\/kuromajutsu)(\/|$)/;

/**
 * A hash of all that belongs to the user: the working tree, and of the git directory everything but
 * our own refs, the objects and the entries of our own worktrees. Objects are only ever added.
 */
export function hashOfUser(repository: Pick<TestRepository, "root" | "common">): string {
  const hash = createHash("sha256");
  const visit = (folder: string, prefix: string, skips: (path: string) => boolean): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = prefix === "" ? name : `${prefix}/${name}`;
      if (skips(path)) continue;
      const whole = join(folder, name);
      const found = lstatSync(whole);
      const content = found.isFile()
        ? readFileSync(whole)
        : found.isSymbolicLink()
          ? readlinkSync(whole)
          : "";
      if (found.isDirectory()) visit(whole, path, skips);
      else hash.update(`${path}\0${found.mode}\0${found.mtimeMs}\0`).update(content).update("\0");
    }
  };
  visit(repository.root, "", (path) => path === ".git");
  visit(
    repository.common,
    "",
    (path) => OWN.test(path) || path === "objects" || isOwnEntry(repository.common, path),
  );
  return hash.digest("hex");
}

function isOwnEntry(common: string, path: string): boolean {
  const [folder, name] = path.split("/");
  if (folder !== "worktrees" || name === undefined) return false;
  try {
    return readFileSync(join(common, folder, name, "locked"), "utf8").startsWith("kuromajutsu ");
  } catch {
    return false;
  }
}

/** Every object of the repository, loose or packed. */
export function objectsOf(root: string): string[] {
  const list = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)");
  return list.split("\n").filter(Boolean);
}

export function ownBranches({ root }: TestRepository): string[] {
  return git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/kuromajutsu")
    .split("\n")
    .filter(Boolean);
}

/** The worktree is complete, clean and on its branch. */
export async function expectPrepared(repository: TestRepository, id: string): Promise<void> {
  const { git: adapter, common, head } = repository;
  const spec = repository.worktree(id);
  expect(await adapter.inspectWorktree(common, spec)).toEqual({
    state: "present",
    head,
    isPrepared: true,
  });
  expect(git(spec.path, "status", "--porcelain")).toBe("");
  expect(existsSync(join(common, "worktrees", id, "index.lock"))).toBe(false);
}
