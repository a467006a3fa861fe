import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createGit } from "../src/adapters/git/create-git.ts";
import type { Bench } from "./kit/bench.ts";
import { timed } from "./kit/stats.ts";

const FILES = 1_000;
const EDITS = 20;
const ROUNDS = 12;

const run = promisify(execFile);
const IDENTITY = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return (await run("git", [...IDENTITY, ...args], { cwd })).stdout.trim();
}

function writeFiles(folder: string, count: number, text: string): void {
  for (let n = 0; n < count; n++) {
    mkdirSync(join(folder, `d${n % 20}`), { recursive: true });
    writeFileSync(join(folder, `d${n % 20}`, `f${n}.txt`), `${n} ${text}\n`.repeat(200));
  }
}

/** Our guards and idempotent steps cost processes: compare them with what a person would type. */
export const worktrees: Bench = async (context) => {
  const dir = mkdtempSync(join(context.product.dir, "worktrees-"));
  const root = join(dir, "repository");
  mkdirSync(root);
  context.say(`making a repository of ${FILES} files`);
  await git(root, "init", "-q", "-b", "main");
  writeFiles(root, FILES, "first");
  await git(root, "add", "-A");
  await git(root, "commit", "-qm", "first");
  const base = await git(root, "rev-parse", "HEAD");
  const common = join(root, ".git");
  const adapter = createGit({ directory: join(dir, "git"), environment: process.env });
  const provision = { product: new Array<number>(), floor: new Array<number>() };
  const capture = { product: new Array<number>(), floor: new Array<number>() };
  for (let n = 0; n < ROUNDS; n++) {
    const id = `w${n}`;
    const spec = { id, path: join(dir, "work", id), branch: `kuromajutsu/${id}`, base };
    const bare = join(dir, "bare", id);
    provision.product.push(await timed(() => adapter.addWorktree(common, spec)));
    provision.floor.push(
      await timed(() => git(root, "worktree", "add", "-q", "-b", `bare/${id}`, bare, base)),
    );
    for (const path of [spec.path, bare]) writeFiles(path, EDITS, `edited ${n}`);
    capture.product.push(
      await timed(() =>
        adapter.capture(common, {
          worktree: spec,
          keepAs: `refs/kuromajutsu/change/${id}/1`,
          message: "Edit\n",
          author: { name: "Bench", email: "bench@kuromajutsu.invalid" },
          limits: { maxFileBytes: 10_000_000, maxNewFiles: 2_000 },
          at: 0,
        }),
      ),
    );
    capture.floor.push(
      await timed(async () => {
        await git(bare, "add", "-A");
        await git(bare, "commit", "-qm", "Edit");
      }),
    );
  }
  return [
    {
      name: `worktree of ${FILES} files (floor: git worktree add)`,
      unit: "ms",
      ...provision,
      goal: { timesFloor: 2 },
    },
    {
      name: `capture of ${EDITS} edited files (floor: git add -A && git commit)`,
      unit: "ms",
      ...capture,
      goal: { timesFloor: 3 },
    },
  ];
};
