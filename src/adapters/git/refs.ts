import { realpath, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BRANCH_PREFIX, type Oid, REF_PREFIX } from "../../app/ports/git.ts";
import { requireOid } from "./fields.ts";
import { gitFailed, lockedByAnother } from "./refusals.ts";
import type { GitShell } from "./shell.ts";

export type RefUpdate =
  /** `from` undefined: from any value; null: the ref must not exist. */
  | { readonly ref: string; readonly from?: Oid | null; readonly to: Oid }
  | { readonly ref: string; readonly from?: Oid; readonly to: null };

const STALE_AFTER_MS = 1_000;
const LOCKED = /Unable to create '(.+?\.lock)': File exists/s;
const OTHER_VALUE =
  /but expected|reference already exists|unable to resolve reference|is missing but/;

/**
 * All updates or none. false: a ref does not have its expected value. A process that was killed
 * leaves its lock file; below our own prefixes, where only we write, such a lock is removed.
 */
export async function updateRefs(
  shell: GitShell,
  commonDirectory: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  if (updates.length === 0) return true;
  const input = updates.map(lineFor).join("");
  const args = ["update-ref", "--stdin", "-z", "-m", "kuromajutsu"];
  for (;;) {
    const { code, stderr } = await shell.inRepository(commonDirectory, args, { input });
    if (code === 0) return true;
    const lock = LOCKED.exec(stderr)?.[1];
    if (lock !== undefined) await clearLock(commonDirectory, lock);
    else if (OTHER_VALUE.test(stderr)) return false;
    else throw gitFailed(args, stderr);
  }
}

function lineFor({ ref, from, to }: RefUpdate): string {
  if (ref.includes("\0")) throw new Error("The name of a ref contains NUL.");
  requireOid(...[from, to].filter((id) => id !== undefined && id !== null));
  if (to === null) return `delete ${ref}\0${from ?? ""}\0`;
  if (from === null) return `create ${ref}\0${to}\0`;
  return `update ${ref}\0${to}\0${from ?? ""}\0`;
}

/** Waits for a living holder; then removes the lock if it is ours and nothing has changed. */
async function clearLock(commonDirectory: string, lock: string): Promise<void> {
  const first = await stat(lock).catch(() => undefined);
  if (!first) return;
  if (!(await isOurs(commonDirectory, lock))) {
    // git itself has waited for it as long as it is configured to.
    await sleep(200);
    const still = await stat(lock).catch(() => undefined);
    if (still && Date.now() - still.mtimeMs > STALE_AFTER_MS) throw lockedByAnother(lock);
    return;
  }
  const age = Date.now() - first.mtimeMs;
  if (age < STALE_AFTER_MS) await sleep(Math.max(50, STALE_AFTER_MS - Math.max(0, age)));
  const now = await stat(lock).catch(() => undefined);
  if (now && now.ino === first.ino && now.mtimeMs === first.mtimeMs)
    await rm(lock, { force: true });
}

async function isOurs(commonDirectory: string, lock: string): Promise<boolean> {
  const folder = `${await realpath(dirname(lock)).catch(() => dirname(lock))}${sep}`;
  return [REF_PREFIX, `refs/heads/${BRANCH_PREFIX}`].some((prefix) =>
    folder.startsWith(join(commonDirectory, prefix)),
  );
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

export function requireOwnBranch(branch: string): void {
  if (!branch.startsWith(BRANCH_PREFIX)) {
    throw new Error(`The branch ${branch} is not below ${BRANCH_PREFIX}.`);
  }
}

export function requireOwnRef(...refs: readonly string[]): void {
  for (const ref of refs) {
    if (!ref.startsWith(REF_PREFIX)) throw new Error(`The ref ${ref} is not below ${REF_PREFIX}.`);
  }
}
