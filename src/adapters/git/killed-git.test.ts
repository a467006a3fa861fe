import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locksOf } from "../../../test/kit/locks.ts";
import {
  aCapture,
  aRepository,
  expectPrepared,
  git,
  write,
  type TestRepository,
} from "../../../test/kit/repository.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import type { Git } from "../../app/ports/git.ts";
import { Refusal } from "../../domain/refusal.ts";
import { createGit } from "./create-git.ts";

const HOWS = ["before", "while", "after"] as const;
type How = (typeof HOWS)[number];

const SCRIPTS: Readonly<Record<How, string>> = {
  before: "kill -9 $$",
  while: 'git "$@" & sleep 0.004; kill -9 $!; wait $!; kill -9 $$',
  after: 'git "$@"; kill -9 $$',
};

/** A git that is killed with -9 in one of its calls; 0: in none. It counts its calls. */
function aKilledGit({ dir, adapterDirectory }: TestRepository, call: number, how: How) {
  const program = join(dir, "killed-git");
  const count = `${program}.count`;
  rmSync(count, { force: true });
  const counting = `echo >> "${count}"; n=$(wc -l < "${count}")`;
  writeFileSync(
    program,
    `#!/bin/bash\n${counting}\nif [ $n -eq ${call} ]; then ${SCRIPTS[how]}; fi\nexec git "$@"\n`,
  );
  chmodSync(program, 0o755);
  return {
    git: createGit({ directory: adapterDirectory, environment: process.env, program }),
    calls: () => readFileSync(count, "utf8").length,
  };
}

type Operation = {
  readonly name: string;
  /** Returns the operation on a worktree of its own. */
  readonly prepare: (
    repository: TestRepository,
    id: string,
  ) => Promise<{
    readonly run: (adapter: Git) => Promise<unknown>;
    readonly expectDone: () => Promise<void>;
  }>;
};

const OPERATIONS: readonly Operation[] = [
  {
    name: "an addition",
    async prepare(repository, id) {
      const spec = repository.worktree(id);
      return {
        run: (adapter) => adapter.addWorktree(repository.common, spec),
        expectDone: () => expectPrepared(repository, id),
      };
    },
  },
  {
    name: "a capture",
    async prepare(repository, id) {
      const spec = await repository.added(id);
      write(spec.path, { "a.txt": `${id}\n`, "new.txt": `${id}\n` });
      return {
        run: (adapter) => adapter.capture(repository.common, aCapture(spec)),
        async expectDone() {
          expect(git(repository.root, "show", `${spec.branch}:new.txt`)).toBe(id);
          expect(git(spec.path, "status", "--porcelain")).toBe("");
          expect(git(spec.path, "rev-list", "--count", `${repository.head}..HEAD`)).toBe("1");
        },
      };
    },
  },
  {
    name: "a removal",
    async prepare(repository, id) {
      const spec = await repository.added(id);
      write(spec.path, { "new.txt": `${id}\n` });
      const saved = `refs/kuromajutsu/saved/${id}`;
      return {
        run: (adapter) => adapter.removeWorktree(repository.common, spec, saved),
        async expectDone() {
          expect(git(repository.root, "show", `${saved}:new.txt`)).toBe(id);
          expect(existsSync(spec.path)).toBe(false);
          expect(existsSync(join(repository.common, "worktrees", id))).toBe(false);
        },
      };
    },
  },
  {
    name: "a landing",
    async prepare(repository, id) {
      const { common, root, head } = repository;
      const spec = await repository.added(id);
      write(spec.path, { "new.txt": `${id}\n` });
      const { commit: change } = await repository.git.capture(common, aCapture(spec));
      git(root, "branch", id, head);
      const author = { name: "impl-code", email: "impl-code@kuromajutsu.invalid" };
      const mode = "squash" as const;
      const merge = { onto: head, change, base: head, mode, message: "m\n", author, at: 0 };
      return {
        async run(adapter) {
          const built = await adapter.buildMerge(common, merge);
          if (built.built) await adapter.moveBranch(common, id, head, built.commit);
        },
        async expectDone() {
          expect(git(root, "show", `${id}:new.txt`)).toBe(id);
          expect(git(root, "rev-list", "--count", `${head}..${id}`)).toBe("1");
        },
      };
    },
  },
];

/** All calls in all ways, or as many of them as there is time for, evenly spread. */
function chosen(calls: number): readonly (readonly [number, How])[] {
  const all = Array.from({ length: calls }, (_, n) => n + 1).flatMap((call) =>
    HOWS.map((how) => [call, how] as const),
  );
  const count = rounds({ all: all.length, few: 4 });
  return all.filter(
    (_, n) => Math.floor((n * count) / all.length) !== Math.floor(((n - 1) * count) / all.length),
  );
}

test.each(OPERATIONS)(
  "$name in which git is killed with -9 is finished by the next call, and leaves no lock",
  async ({ prepare }) => {
    const repository = aRepository();
    const { common, root, git: adapter } = repository;
    const index = readFileSync(join(common, "index"));
    const first = await prepare(repository, "w0");
    const whole = aKilledGit(repository, 0, "before");
    await first.run(whole.git);
    await first.expectDone();

    for (const [call, how] of chosen(whole.calls())) {
      const id = `w${call}-${how}`;
      const { run, expectDone } = await prepare(repository, id);
      const error = await run(aKilledGit(repository, call, how).git).catch((thrown) => thrown);
      expect(error instanceof Error && !(error instanceof Refusal) ? error : null).toBe(null);

      await run(adapter);

      await expectDone();
      expect({ id, locks: locksOf(common) }).toEqual({ id, locks: [] });
      expect(readFileSync(join(common, "index")).equals(index)).toBe(true);
      expect(git(root, "rev-parse", "main")).toBe(repository.head);
    }
    execFileSync("git", ["fsck", "--connectivity-only", "--no-dangling"], { cwd: root });
  },
);
