import { randomBytes } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Capture, CaptureSpec, Git, Oid } from "../../app/ports/git.ts";
import type { Variables } from "../../base/allowed-environment.ts";
import { isCode } from "../../base/error-code.ts";
import { lineOf } from "./fields.ts";
import { GUARDS } from "./guards.ts";
import { branchRef } from "./refs.ts";
import { bundleTooLarge } from "./refusals.ts";
import { createRunGit, outputOf } from "./run-git.ts";
import { signedBy } from "./shell.ts";
import { MAX_BUNDLE_BYTES } from "./take-bundle.ts";

export type BundledCapture = Capture & {
  /** 0: nothing is new, so there is no bundle. */
  readonly bytes: number;
};

export type CaptureIntoBundle = {
  readonly git: Git;
  readonly environment: Variables;
  readonly maxBytes?: number;
};

const BUNDLE_TIMEOUT_MS = 5 * 60_000;

/**
 * Captures a worktree and writes its commits to a file. Repeated, it makes the same commits. Call it
 * for one file at a time: it removes what an earlier call has left beside it.
 */
export async function captureIntoBundle(
  { git, environment, maxBytes = MAX_BUNDLE_BYTES }: CaptureIntoBundle,
  commonDirectory: string,
  spec: CaptureSpec,
  file: string,
): Promise<BundledCapture> {
  const { branch, base } = spec.worktree;
  const run = createRunGit(environment);
  const inRepository = async (args: readonly string[], env: Variables = {}): Promise<string> => {
    const command = {
      args,
      cwd: commonDirectory,
      env: { GIT_DIR: commonDirectory, ...env },
      config: GUARDS,
      timeoutMs: BUNDLE_TIMEOUT_MS,
      mayBeKilled: true,
    };
    return lineOf(outputOf(command, await run(command)));
  };

  /** The server takes only commits on top of the base, and the agent may have left it out. */
  async function onTopOfBase(captured: Capture): Promise<Oid> {
    if (await git.isAncestor(commonDirectory, base, captured.commit)) return captured.commit;
    const args = ["commit-tree", captured.tree, "-p", base, "-m", spec.message];
    const commit = await inRepository(args, signedBy(spec.author, spec.at));
    await inRepository(["update-ref", branchRef(branch), commit]);
    await git.keep(commonDirectory, spec.keepAs, commit);
    return commit;
  }

  const captured = await git.capture(commonDirectory, spec);
  const commit = await onTopOfBase(captured);
  await removeBundle(file);
  if (commit === base) return { ...captured, commit, bytes: 0 };
  // Never the same name: a git that was killed leaves a lock beside the file that it wrote.
  const half = `${file}.${randomBytes(4).toString("hex")}`;
  await inRepository(["bundle", "create", "--quiet", half, branchRef(branch), `^${base}`]);
  const bytes = (await stat(half)).size;
  if (bytes > maxBytes) {
    await removeBundle(file);
    throw bundleTooLarge(bytes, maxBytes);
  }
  await rename(half, file);
  return { ...captured, commit, bytes };
}

/** Also the parts and locks of attempts that were killed. */
export async function removeBundle(file: string): Promise<void> {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of await readdir(folder).catch(noneIfMissing)) {
    if (found === name || found.startsWith(`${name}.`)) {
      await rm(join(folder, found), { force: true });
    }
  }
}

function noneIfMissing(error: unknown): readonly string[] {
  if (isCode(error, "ENOENT")) return [];
  throw error;
}
