import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aCapture, aRepository, git, write } from "../../../test/kit/repository.ts";
import { createGit } from "./create-git.ts";
import { createFetchedRepositories } from "./fetched-repositories.ts";
import { captureIntoBundle } from "./make-bundle.ts";

const KEY = "0123456789abcdef";
const ABSENT = "d".repeat(40);

function aWorkerDisk(fetchTimeoutMs = 60_000) {
  const repository = aRepository();
  const remote = join(repository.dir, "remote.git");
  git(repository.dir, "clone", "-q", "--bare", repository.root, remote);
  const directory = join(repository.dir, "worker", "repositories");
  const environment = { ...process.env };
  const fetched = createFetchedRepositories({ directory, environment, fetchTimeoutMs });
  const adapter = createGit({ directory: join(repository.dir, "worker", "git"), environment });
  const path = join(repository.dir, "worker", "work", "one");
  return { repository, remote, directory, environment, fetched, adapter, path };
}

/** A folder with a git that runs this script, then the real git. */
function aGitBefore(dir: string, script: string): string {
  const folder = join(dir, "bin");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  mkdirSync(folder);
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\nexec ${real} "$@"\n`, { mode: 0o755 });
  return folder;
}

test("parallel agents fetch the same remote, and each gets a worktree of its commit", async () => {
  const { repository, remote, fetched, adapter, path } = aWorkerDisk();
  const second = repository.commit({ "b.txt": "second\n" });
  git(repository.root, "push", "-q", remote, "main");
  const wanted = [repository.head, second, repository.head, second];
  await Promise.all(wanted.map((commit) => fetched.fetch(KEY, remote, commit)));

  const specs = wanted.map((base, index) => ({
    id: `w${index}`,
    path: `${path}${index}`,
    branch: `kuromajutsu/w${index}`,
    base,
  }));
  await Promise.all(specs.map((spec) => adapter.addWorktree(fetched.directoryOf(KEY), spec)));
  expect(specs.map((spec) => readFileSync(join(spec.path, "b.txt"), "utf8"))).toEqual([
    "b\n",
    "second\n",
    "b\n",
    "second\n",
  ]);
  expect(git(`${path}0`, "remote", "get-url", "origin")).toBe(remote);
});

test("a commit that was fetched once needs the remote no more", async () => {
  const { repository, remote, fetched } = aWorkerDisk();
  await fetched.fetch(KEY, remote, repository.head);
  rmSync(remote, { recursive: true });
  await expect(fetched.fetch(KEY, remote, repository.head)).resolves.toBeUndefined();
});

test("a commit that was not pushed, and a remote that is not there, are different failures", async () => {
  const { remote, fetched } = aWorkerDisk();
  await expect(fetched.fetch(KEY, remote, ABSENT)).rejects.toMatchObject({ reason: null });
  await expect(fetched.fetch(KEY, `${remote}x`, ABSENT)).rejects.toMatchObject({
    reason: expect.stringContaining("fatal: "),
  });
  await expect(fetched.fetch(KEY, "ext::sh -c x", ABSENT)).rejects.toMatchObject({
    reason: "This address cannot be fetched.",
  });
});

test("a remote that does not answer is given up", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { fetched } = aWorkerDisk(300);
  await expect(fetched.fetch(KEY, `git://127.0.0.1:${port}/app.git`, ABSENT)).rejects.toMatchObject(
    { reason: expect.stringContaining("did not end within") },
  );
});

test("what an agent writes into the configuration of its repository is not run by a fetch", async () => {
  const { repository, remote, fetched, adapter, path } = aWorkerDisk();
  await fetched.fetch(KEY, remote, repository.head);
  const spec = { id: "one", path, branch: "kuromajutsu/one", base: repository.head };
  await adapter.addWorktree(fetched.directoryOf(KEY), spec);
  const trap = join(repository.dir, "trapped");
  git(path, "config", "core.sshCommand", `touch ${trap};`);
  git(path, "config", "remote.origin.uploadpack", `touch ${trap}; git-upload-pack`);
  git(path, "config", `url.ssh://127.0.0.1/.insteadOf`, "/");
  const second = repository.commit({ "b.txt": "second\n" });
  git(repository.root, "push", "-q", remote, "main");
  await fetched.fetch(KEY, remote, second);
  expect(existsSync(trap)).toBe(false);
});

test("what an agent left is captured into a bundle on top of the base, also if it rewrote history", async () => {
  const { repository, remote, environment, fetched, adapter, path } = aWorkerDisk();
  const base = repository.commit({ "b.txt": "second\n" });
  git(repository.root, "push", "-q", remote, "main");
  await fetched.fetch(KEY, remote, base);
  const common = fetched.directoryOf(KEY);
  const spec = { id: "one", path, branch: "kuromajutsu/one", base };
  await adapter.addWorktree(common, spec);
  git(path, "reset", "-q", "--hard", repository.head);
  write(path, { "new.txt": "new\n" });
  const file = join(repository.dir, "one.bundle");
  const captured = await captureIntoBundle(
    { git: adapter, environment },
    common,
    aCapture(spec),
    file,
  );
  const again = await captureIntoBundle(
    { git: adapter, environment },
    common,
    aCapture(spec),
    file,
  );

  expect(again).toEqual(captured);
  const bundle = readFileSync(file);
  expect(bundle.length).toBe(captured.bytes);
  const { commit, bytes } = captured;
  const taken = { branch: spec.branch, base, commit, keepAs: aCapture(spec).keepAs, bytes };
  await repository.git.takeBundle(repository.common, taken, async (at) => bundle.subarray(at));
  expect(git(repository.root, "show", `${spec.branch}:new.txt`)).toBe("new");
  expect(git(repository.root, "show", `${spec.branch}:b.txt`)).toBe("b");
});

test("a git that was killed while it wrote a bundle does not hinder the next attempt", async () => {
  const { repository, remote, environment, fetched, adapter, path } = aWorkerDisk();
  await fetched.fetch(KEY, remote, repository.head);
  const common = fetched.directoryOf(KEY);
  const spec = { id: "one", path, branch: "kuromajutsu/one", base: repository.head };
  await adapter.addWorktree(common, spec);
  write(path, { "new.txt": "new\n" });
  const folder = join(repository.dir, "bundles");
  mkdirSync(folder);
  const file = join(folder, "one.bundle");
  // git holds this lock while it writes the file in its fourth argument.
  const script = 'case "$1 $2" in "bundle create") : > "$4.lock"; kill -9 $$;; esac';
  const killed = {
    ...environment,
    PATH: `${aGitBefore(repository.dir, script)}:${process.env["PATH"]}`,
  };
  const capture = (variables: typeof environment) =>
    captureIntoBundle({ git: adapter, environment: variables }, common, aCapture(spec), file);
  await expect(capture(killed)).rejects.toThrow(/bundle/);
  expect(readdirSync(folder)).not.toEqual([]);

  const { bytes } = await capture(environment);
  expect(readdirSync(folder)).toEqual(["one.bundle"]);
  expect(readFileSync(file)).toHaveLength(bytes);
});

test("commits that are larger than a worker may send stay there, with a sentence", async () => {
  const { repository, remote, environment, fetched, adapter, path } = aWorkerDisk();
  await fetched.fetch(KEY, remote, repository.head);
  const common = fetched.directoryOf(KEY);
  const spec = { id: "one", path, branch: "kuromajutsu/one", base: repository.head };
  await adapter.addWorktree(common, spec);
  write(path, { "new.txt": "new\n" });
  const file = join(repository.dir, "one.bundle");
  const options = { git: adapter, environment, maxBytes: 10 };
  await expect(captureIntoBundle(options, common, aCapture(spec), file)).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
  });
  expect(existsSync(file)).toBe(false);
  expect(git(path, "show", "kuromajutsu/one:new.txt")).toBe("new");
});
