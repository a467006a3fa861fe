import { rm, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Oid, WorktreeSpec, WorktreeState } from "../../app/ports/git.ts";
import { requireOid } from "./fields.ts";
import type { Setting } from "./guards.ts";
import { branchRef, requireOwnBranch, updateRefs } from "./refs.ts";
import { branchTaken, gitFailed, worktreeUnusable } from "./refusals.ts";
import { readHead, resolveCommit } from "./repository.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";
import type { Slots, Turns } from "./turns.ts";
import {
  findDamage,
  findEntry,
  isCheckedOut,
  isOwnLock,
  lockReason,
  realPath,
  type Entry,
} from "./worktree-entry.ts";

export type Workshop = {
  readonly shell: GitShell;
  /** `git worktree add` is not safe to run in parallel: one at a time for each repository. */
  readonly turns: Turns;
  /** A checkout keeps the disk busy. */
  readonly checkouts: Slots;
  /** Resolves when no git of an earlier daemon that was killed is at work any more. */
  readonly withoutOrphans: () => Promise<void>;
};

const CHECKOUT_TIMEOUT_MS = 10 * 60_000;
const ATTEMPTS = 16;
/** Another program has made or removed a worktree at the same time. */
const RACE =
  /commondir|failed to read|cannot lock ref|unable to (create|write|read)|\.lock'|File exists/i;

type Place = Pick<WorktreeSpec, "id" | "path"> & {
  readonly branch: string | null;
  readonly base: Oid;
};

export async function addWorktree(
  workshop: Workshop,
  commonDirectory: string,
  given: WorktreeSpec,
): Promise<void> {
  requireOid(given.base);
  requireOwnBranch(given.branch);
  await workshop.withoutOrphans();
  const spec = { ...given, path: await realPath(given.path) };
  await workshop.turns(`path ${spec.path}`, () => addInTurn(workshop, commonDirectory, spec));
}

async function addInTurn(
  workshop: Workshop,
  commonDirectory: string,
  spec: WorktreeSpec,
): Promise<void> {
  const { shell, turns } = workshop;
  // Processes are what an addition costs beside the checkout, so these run meanwhile.
  const settings = shell.fileSettings(commonDirectory);
  settings.catch(() => undefined);
  const { entry, hadBranch } = await turns(commonDirectory, () =>
    makeEntry(shell, commonDirectory, spec),
  ).catch(async (error: unknown) => {
    // A repository that is gone explains more than a worktree that is gone with it.
    await settings;
    throw error;
  });
  if (await isCheckedOut(entry)) return;
  try {
    await checkOut(workshop, commonDirectory, spec, entry, await settings);
  } catch (error) {
    // Half a worktree helps no agent, and a full disk needs the space.
    await turns(commonDirectory, async () => {
      await rm(spec.path, { recursive: true, force: true });
      await rm(entry.directory, { recursive: true, force: true });
      if (!hadBranch) await dropBranch(shell, commonDirectory, spec);
    });
    throw error;
  }
}

/** A branch that is still at its base was made by us and holds no work. */
async function dropBranch(
  shell: GitShell,
  commonDirectory: string,
  { branch, base }: WorktreeSpec,
): Promise<void> {
  await updateRefs(shell, commonDirectory, [{ ref: branchRef(branch), from: base, to: null }]);
}

/** `hadBranch`: an earlier attempt has made the branch, so it may be more than this one's leftover. */
type MadeEntry = { readonly entry: Entry; readonly hadBranch: boolean };

/** The entry and the empty directory. Finishes or repeats what a killed process began. */
async function makeEntry(
  shell: GitShell,
  commonDirectory: string,
  spec: Place,
): Promise<MadeEntry> {
  let hadBranch: boolean | undefined;
  for (let attempt = 1; ; attempt++) {
    const found = await usableEntry(commonDirectory, spec);
    const tip =
      spec.branch === null
        ? undefined
        : await resolveCommit(shell, commonDirectory, branchRef(spec.branch));
    hadBranch ??= tip !== undefined;
    if (found) {
      const isStarted = await isCheckedOut(found);
      if (!isStarted && spec.branch !== null && tip !== spec.base) throw branchTaken(spec.branch);
      return { entry: found, hadBranch };
    }
    if (spec.branch !== null && tip !== undefined && tip !== spec.base) {
      throw branchTaken(spec.branch);
    }
    await mkdir(dirname(spec.path), { recursive: true, mode: 0o700 });
    const args = addArguments(spec, tip !== undefined);
    const giveUp = async (error: unknown): Promise<never> => {
      await discardHalfMade(commonDirectory, spec);
      if (spec.branch !== null && tip === undefined) {
        await dropBranch(shell, commonDirectory, { ...spec, branch: spec.branch });
      }
      throw error;
    };
    // A full disk or a time-out is thrown, and leaves as much behind as any other failure.
    const end = await shell
      .inRepository(commonDirectory, args, { mayBeKilled: true })
      .catch(giveUp);
    const made = end.code === 0 ? await findEntry(commonDirectory, spec.path, spec) : undefined;
    if (made?.isWhole) return { entry: made, hadBranch };
    if (attempt === ATTEMPTS || (attempt > 1 && !RACE.test(end.stderr))) {
      await giveUp(gitFailed(args, end.stderr));
    }
    await sleep(10 * attempt * (1 + Math.random()));
  }
}

function addArguments(spec: Place, hasBranch: boolean): string[] {
  const { path, branch, base } = spec;
  const common = ["worktree", "add", "--no-checkout", "--lock", "--reason", lockReason(spec)];
  if (branch === null) return [...common, "--detach", path, base];
  // An id and never a name: a name could be a branch of a remote, and git would track it.
  return hasBranch
    ? [...common, path, branch]
    : [...common, "--no-track", "-b", branch, path, base];
}

/** undefined: nothing is there, so the entry can be made. */
async function usableEntry(commonDirectory: string, spec: Place): Promise<Entry | undefined> {
  const entry = await findEntry(commonDirectory, spec.path, spec);
  if (entry && !isOwnLock(entry, spec)) throw worktreeUnusable(spec.path, "not_ours");
  if (entry && !entry.isWhole) {
    await discardHalfMade(commonDirectory, spec);
    return undefined;
  }
  const damage = await findDamage(spec.path, entry, spec);
  if (damage === undefined) return entry;
  const wasStarted = entry !== undefined && (await isCheckedOut(entry));
  const isEmpty = (await readdir(spec.path).catch(() => [])).length === 0;
  if (wasStarted || !isEmpty) throw worktreeUnusable(spec.path, damage);
  await discardHalfMade(commonDirectory, spec);
  return undefined;
}

/** Removes what is left of an entry that was never checked out. It holds no work of an agent. */
async function discardHalfMade(commonDirectory: string, spec: Place): Promise<void> {
  const entry = await findEntry(commonDirectory, spec.path, spec);
  if (!entry || !isOwnLock(entry, spec) || (await isCheckedOut(entry))) return;
  const names = await readdir(spec.path).catch(() => []);
  if (names.every((name) => name === ".git")) {
    await rm(spec.path, { recursive: true, force: true });
  }
  await rm(entry.directory, { recursive: true, force: true });
}

/** Files first, index last: an index says that the checkout is complete. */
async function checkOut(
  { shell, checkouts }: Workshop,
  commonDirectory: string,
  { path, base }: Place,
  { directory }: Entry,
  config: readonly Setting[],
): Promise<void> {
  await checkouts(async () => {
    await rm(join(directory, "index.lock"), { force: true });
    const args = ["read-tree", "--reset", "-u", base];
    const end = await shell.outside(commonDirectory, args, {
      workTree: path,
      index: join(directory, "index"),
      config,
      timeoutMs: CHECKOUT_TIMEOUT_MS,
    });
    outputOf({ args }, end);
  });
}

export async function inspectWorktree(
  shell: GitShell,
  commonDirectory: string,
  spec: WorktreeSpec,
): Promise<WorktreeState> {
  const path = await realPath(spec.path);
  const entry = await findEntry(commonDirectory, path, spec);
  const reason = await findDamage(path, entry, spec);
  if (reason !== undefined) return { state: "damaged", reason };
  if (!entry) return { state: "missing" };
  const { head, branch } = await readHead(entry.directory, shell);
  if (head === null) {
    // An unborn branch of the agent, or a branch that was deleted: the files are there all the same.
    if (branch === null) return { state: "damaged", reason: "head_unreadable" };
    const tip = await resolveCommit(shell, commonDirectory, branchRef(spec.branch));
    return { state: "present", head: tip ?? spec.base, isPrepared: false };
  }
  const isPrepared = branch === spec.branch && (await isCheckedOut(entry));
  return { state: "present", head, isPrepared };
}

export async function prepareIntegration(
  workshop: Workshop,
  commonDirectory: string,
  given: string,
  id: string,
  commit: Oid,
): Promise<void> {
  requireOid(commit);
  await workshop.withoutOrphans();
  const { shell, turns } = workshop;
  const path = await realPath(given);
  await turns(`path ${path}`, async () => {
    const spec = { id, path, branch: null, base: commit };
    const { entry } = await turns(commonDirectory, () => makeEntry(shell, commonDirectory, spec));
    const index = join(entry.directory, "index");
    const config = await shell.fileSettings(commonDirectory);
    await checkOut(workshop, commonDirectory, spec, entry, config);
    const clean = ["clean", "-ffdq"];
    outputOf(
      { args: clean },
      await shell.outside(commonDirectory, clean, { workTree: path, index, config }),
    );
    const move = ["update-ref", "--no-deref", "HEAD", commit];
    outputOf({ args: move }, await shell.inRepository(entry.directory, move));
  });
}
