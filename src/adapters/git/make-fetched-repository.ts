import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import { GUARDS } from "./guards.ts";
import { outputOf, type RunGit } from "./run-git.ts";

export type FetchedRepository = {
  /** Fetches go here. */
  readonly mirror: string;
  /** The common directory of the worktrees. */
  readonly repository: string;
};

/** Makes what is missing. A process that dies here leaves folders with other names. */
export async function makeFetchedRepository(
  run: RunGit,
  { mirror, repository }: FetchedRepository,
  url: string,
  commit: Oid,
): Promise<void> {
  const format = commit.length === 64 ? "sha256" : "sha1";
  await mkdir(dirname(mirror), { recursive: true, mode: 0o700 });
  await init(run, mirror, format, async () => {});
  await init(run, repository, format, async (half) => {
    await writeFile(join(half, "objects/info/alternates"), `${join(mirror, "objects")}\n`);
    // Agents see the same remote as on a server. Objects that they fetch stay in this repository.
    for (const [name, value] of [
      ["gc.auto", "0"],
      ["remote.origin.url", url],
      ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    ] as const) {
      const args = ["config", name, value];
      outputOf({ args }, await run({ args, cwd: half, env: { GIT_DIR: half } }));
    }
  });
}

async function init(
  run: RunGit,
  path: string,
  format: string,
  fill: (half: string) => Promise<void>,
): Promise<void> {
  if (await isThere(path)) return;
  const half = `${path}.half`;
  await rm(half, { recursive: true, force: true });
  const args = ["init", "--bare", "--quiet", "--template=", `--object-format=${format}`, half];
  outputOf({ args }, await run({ args, cwd: dirname(path), env: {}, config: GUARDS }));
  await fill(half);
  await rename(half, path);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
