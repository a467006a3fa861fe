import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killAfter, startOperation } from "../../../test/kit/git-operation.ts";
import {
  aCapture,
  aRepository,
  expectPrepared,
  git,
  ownBranches,
  type TestRepository,
  write,
} from "../../../test/kit/repository.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import type { Git } from "../../app/ports/git.ts";
import { createGit } from "./create-git.ts";

/** The daemon that starts after one that was killed. */
function theNextDaemon({ adapterDirectory }: TestRepository): Git {
  return createGit({ directory: adapterDirectory, environment: process.env });
}

const many = (count: number, length: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`d${n % 10}/f${n}.txt`, `${n}\n`.repeat(length)]),
  );

/** Another tool that makes and removes worktrees all the time. */
function anotherTool({ root, dir }: TestRepository): ChildProcess {
  const loop = `for n in $(seq 1000); do git worktree add -q -b other$n "${dir}/other$n" HEAD && git worktree remove -f "${dir}/other$n"; done`;
  const child = spawn("/bin/sh", ["-c", loop], { cwd: root, detached: true, stdio: "ignore" });
  onTestFinished(() => end(child));
  return child;
}

function end({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? 0), "SIGKILL");
  } catch {
    // It has ended.
  }
}

test("worktrees are added while another program adds and removes worktrees", async () => {
  const repository = aRepository();
  const other = anotherTool(repository);
  const ids = Array.from({ length: rounds({ all: 100, few: 5 }) }, (_, n) => `w${n}`);

  await Promise.all(ids.map((id) => repository.added(id)));

  end(other);
  await once(other, "exit");
  expect(ownBranches(repository)).toHaveLength(ids.length);
  for (const id of ids.slice(0, 3)) await expectPrepared(repository, id);
});

test("an addition that was killed at any moment is finished by the next call", async () => {
  const repository = aRepository(many(300, 200));
  const { common } = repository;
  for (let n = 0; n < rounds({ all: 60, few: 3 }); n++) {
    const spec = repository.worktree(`w${n}`);
    const child = startOperation(repository, "addWorktree", [common, spec]);
    await killAfter(child, Math.random() * 400);

    await theNextDaemon(repository).addWorktree(common, spec);

    await expectPrepared(repository, `w${n}`);
  }
  expect(ownBranches(repository)).toEqual(
    readdirSync(join(common, "worktrees"))
      .map((name) => `kuromajutsu/${name}`)
      .toSorted((one, other) => (one < other ? -1 : 1)),
  );
});

test("a removal that was killed at any moment is finished by the next call, and nothing is lost", async () => {
  const repository = aRepository(many(300, 50));
  const { git: adapter, common, root } = repository;
  for (let n = 0; n < rounds({ all: 60, few: 4 }); n++) {
    const spec = await repository.added(`w${n}`);
    write(spec.path, { "d0/f0.txt": `edited ${n}\n`, "new.txt": `${n}\n` });
    const tree = await adapter.previewTree(common, spec.path);
    const saved = `refs/kuromajutsu/saved/w${n}`;
    const child = startOperation(repository, "removeWorktree", [common, spec, saved]);
    await killAfter(child, Math.random() * 400);

    await theNextDaemon(repository).removeWorktree(common, spec, saved);

    expect(git(root, "rev-parse", `${saved}^{tree}`)).toBe(tree);
    expect(await adapter.inspectWorktree(common, spec)).toEqual({ state: "missing" });
  }
  expect(readdirSync(join(repository.dir, "data", "work", ".trash"))).toEqual([]);
  expect(existsSync(join(common, "worktrees"))).toBe(false);
});

test("a capture that was killed at any moment gives the same tree with the next call", async () => {
  const repository = aRepository(many(300, 50));
  const { git: adapter, common } = repository;
  const spec = await repository.added("w1");
  for (let n = 0; n < rounds({ all: 60, few: 3 }); n++) {
    write(spec.path, { "d0/f0.txt": `edited ${n}\n`, [`new${n}.txt`]: `${n}\n` });
    const tree = await adapter.previewTree(common, spec.path);
    const child = startOperation(repository, "capture", [common, aCapture(spec)]);
    await killAfter(child, Math.random() * 400);

    const captured = await theNextDaemon(repository).capture(common, aCapture(spec));

    expect(captured).toMatchObject({ tree, attention: [] });
    expect(git(spec.path, "status", "--porcelain")).toBe("");
  }
});
