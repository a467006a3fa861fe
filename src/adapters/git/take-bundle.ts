import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BundleSpec, Oid } from "../../app/ports/git.ts";
import { makeBorrowing } from "./borrowing.ts";
import { findCheckout } from "./branches.ts";
import { readBundleHeader } from "./bundle-header.ts";
import { requireOid } from "./fields.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { branchRef, requireOwnBranch, requireOwnRef, updateRefs } from "./refs.ts";
import { branchInUse, bundleRefused, bundleTooLarge, movedMeanwhile } from "./refusals.ts";
import { isAncestor, resolveCommit, treeOf } from "./repository.ts";
import type { GitEnd } from "./run-git.ts";
import type { GitShell, ShellOptions } from "./shell.ts";
import type { Workshop } from "./worktrees.ts";

/** The commits of one agent are far smaller; a hostile worker must not fill the disk. */
export const MAX_BUNDLE_BYTES = 512 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 5 * 60_000;

type Read = (offset: number) => Promise<Uint8Array>;

/**
 * The objects are checked in a repository of our own first, so that a refused bundle leaves nothing
 * behind. Nothing of it is checked out, and no configuration of the repository is read.
 */
export async function takeBundle(
  { shell, turns }: Workshop,
  directories: PrivateDirectories,
  commonDirectory: string,
  spec: BundleSpec,
  read: Read,
): Promise<{ readonly tree: Oid }> {
  requireOid(spec.base, spec.commit);
  requireOwnBranch(spec.branch);
  requireOwnRef(spec.keepAs);
  if (spec.bytes > MAX_BUNDLE_BYTES) throw bundleTooLarge(spec.bytes, MAX_BUNDLE_BYTES);
  if (spec.bytes > 0) await takeObjects(shell, directories, commonDirectory, spec, read);
  else if (!(await isAncestor(shell, commonDirectory, spec.base, spec.commit))) {
    throw bundleRefused("its commit is not on top of the commit that the work began with");
  }
  return turns(`branch ${commonDirectory}`, async () => {
    await moveTo(shell, commonDirectory, spec);
    return { tree: await treeOf(shell, commonDirectory, spec.commit) };
  });
}

async function takeObjects(
  shell: GitShell,
  directories: PrivateDirectories,
  commonDirectory: string,
  spec: BundleSpec,
  read: Read,
): Promise<void> {
  const temporary = await directories.temporary(commonDirectory);
  try {
    const file = join(temporary.folder, "incoming.bundle");
    await receive(file, spec, read);
    await checkHeader(file, spec);
    const directory = await makeBorrowing(
      temporary.folder,
      directories,
      commonDirectory,
      spec.base,
    );
    const env = { GIT_DIR: directory, GIT_ALLOW_PROTOCOL: "file" };
    const run = (args: readonly string[], more: ShellOptions["env"] = {}): Promise<GitEnd> =>
      shell.outside(commonDirectory, args, {
        env: { ...env, ...more },
        timeoutMs: FETCH_TIMEOUT_MS,
      });
    const fetch = [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--",
      file,
      branchRef(spec.branch),
    ];
    accepted(await run(["bundle", "verify", "--quiet", file]));
    accepted(await run(fetch));
    for (const pack of await packsIn(directory)) {
      accepted(await run(["index-pack", "--strict", "-o", join(temporary.folder, "idx"), pack]));
    }
    const onTop = await run(["merge-base", "--is-ancestor", spec.base, spec.commit]);
    if (onTop.code !== 0) {
      throw bundleRefused("its commits are not on top of the commit that the work began with");
    }
    accepted(await run(fetch, { GIT_OBJECT_DIRECTORY: join(commonDirectory, "objects") }));
  } finally {
    await temporary.dispose();
  }
}

/** git checks what it fetches, but not what it takes out of a bundle. */
async function packsIn(directory: string): Promise<readonly string[]> {
  const folder = join(directory, "objects/pack");
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(".pack")).map((name) => join(folder, name));
}

function accepted({ code, stderr }: GitEnd): void {
  if (code === 0) return;
  const lines = stderr.split("\n").filter((line) => /^(fatal|error):/.test(line));
  throw bundleRefused(`git refuses it (${lines[0] ?? "no reason"})`);
}

/** Exactly the bytes that were announced. */
async function receive(file: string, { bytes }: BundleSpec, read: Read): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    for (let offset = 0; offset < bytes;) {
      const piece = await read(offset);
      if (piece.length === 0) throw bundleRefused("it ends too early");
      if (offset + piece.length > bytes) throw bundleRefused("it is longer than announced");
      await handle.write(piece);
      offset += piece.length;
    }
  } finally {
    await handle.close();
  }
}

async function checkHeader(file: string, { branch, commit }: BundleSpec): Promise<void> {
  const header = await readBundleHeader(file);
  if (!header) throw bundleRefused("it is not a bundle of git");
  const [ref] = header.refs;
  if (header.refs.length !== 1 || ref?.name !== branchRef(branch) || ref.oid !== commit) {
    throw bundleRefused("it names other branches or commits than the agent's");
  }
}

async function moveTo(
  shell: GitShell,
  commonDirectory: string,
  { branch, commit, keepAs }: BundleSpec,
): Promise<void> {
  const ref = branchRef(branch);
  const tip = await resolveCommit(shell, commonDirectory, ref);
  if (tip !== undefined && tip !== commit) {
    const path = await findCheckout(shell, commonDirectory, branch);
    if (path !== undefined) throw branchInUse(branch, path);
    // People may have committed on the branch: their work must not be hidden.
    if (!(await isAncestor(shell, commonDirectory, tip, commit))) throw movedMeanwhile(branch);
  }
  const isMoved = await updateRefs(shell, commonDirectory, [
    { ref, from: tip ?? null, to: commit },
    { ref: keepAs, to: commit },
  ]);
  if (!isMoved) throw movedMeanwhile(branch);
}
