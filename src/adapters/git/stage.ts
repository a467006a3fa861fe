import type { Stats } from "node:fs";
import { lstat, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CaptureLimits, CaptureProblem, Oid } from "../../app/ports/git.ts";
import { isCode } from "../../base/error-code.ts";
import { copyIndex } from "./copy-index.ts";
import { bytesOf, fieldsOfZ, lineOf, nameOf } from "./fields.ts";
import type { Setting } from "./guards.ts";
import { listNestedFiles, readSubmodules } from "./nested.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell, ShellOptions } from "./shell.ts";
import { submodulesWithOwnWork } from "./submodules.ts";

export type StageSpec = {
  readonly commonDirectory: string;
  readonly workTree: string;
  /** The index of the checkout. It is only read. */
  readonly index: string;
  /** The temporary index. */
  readonly into: string;
  /** What the index is compared with if it cannot be used; null: nothing is committed yet. */
  readonly head: Oid | null;
  /** The commit whose submodules are real; an agent may have committed a nested repository. */
  readonly base: Oid | null;
  /** Where new objects go: to the repository, or beside it. */
  readonly objects: "storing" | "outside";
  /** undefined: everything is taken, also the files of nested repositories. */
  readonly limits?: CaptureLimits | undefined;
  /** A person may hide files on purpose (sparse checkout); an agent must not be able to. */
  readonly keepsHidden: boolean;
  /**
   * A submodule is stored as the id of its commit. `reported`: work in it that exists only here is a
   * problem. `saved`: the files of such a submodule are stored, because its directory is deleted next.
   */
  readonly submodules: "links" | "reported" | "saved";
};

export type Staged = { readonly tree: Oid; readonly problems: readonly CaptureProblem[] };

/** One row of `ls-files -v -s`. */
type Listed = { readonly path: string; readonly isLink: boolean };
/** Runs git on the temporary index and answers its output. */
export type OnIndex = (args: readonly string[], input?: Buffer) => Promise<Buffer>;

/**
 * Puts the files as they are into a temporary index and answers its tree. It does not use `git add -A`:
 * that starts `git status` in every submodule, with the configuration found there, and turns nested
 * repositories into links without contents.
 */
export async function stageAll(shell: GitShell, spec: StageSpec): Promise<Staged> {
  const on = await openIndex(shell, spec);
  const listed = await loadIndex(on, spec);
  // After a refresh, diff-files shows only files whose contents or mode differ.
  await refresh(on);
  const changed = parseRaw(await on(["diff-files", "-z", "--raw", "--ignore-submodules=dirty"]));
  const untracked = fieldsOfZ(await on(["ls-files", "-o", "-z", "--exclude-standard"]));
  const hasLinks = [...listed, ...changed].some(({ isLink }) => isLink);
  const submodules = hasLinks ? await readSubmodules(shell, spec) : new Set<string>();
  const isSubmodule = (path: string): boolean => submodules.has(path);
  const problems: CaptureProblem[] = [];

  const nested = [
    ...untracked.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
    ...listed.filter(({ path, isLink }) => isLink && !isSubmodule(path)).map(pathOf),
    ...changed.filter(({ path, isLink }) => isLink && !isSubmodule(path)).map(pathOf),
  ];
  const nestedPaths = new Set(nested);
  for (const path of nestedPaths) problems.push({ type: "nested_repository", path: nameOf(path) });
  if (spec.submodules !== "links") {
    for (const path of await submodulesWithOwnWork(shell, spec, [...submodules])) {
      problems.push({ type: "submodule_work", path: nameOf(path) });
      if (spec.submodules === "saved") nestedPaths.add(path);
    }
  }

  const modified = await withoutSpecial(
    spec,
    changed.filter(({ path }) => !nestedPaths.has(path)),
  );
  const fresh = untracked.filter((path) => !path.endsWith("/"));
  const taken = await withinLimits(spec, modified, fresh, problems);
  const gone = modified.filter(({ isGone }) => isGone).length;
  if ((listed.length - gone + fresh.length) * 2 < listed.length) {
    problems.push({ type: "mass_deletion", deleted: gone, total: listed.length });
  }
  // A deleted path may now lead through a link, where git does not look.
  const dropped = [...nestedPaths, ...modified.filter(({ isGone }) => isGone).map(pathOf)];
  await update(on, ["--force-remove"], dropped);
  const insideNested = spec.limits ? [] : await listNestedFiles(shell, spec, [...nestedPaths]);
  await update(on, ["--add", "--remove", "--replace"], [...taken, ...insideNested]);
  return { tree: lineOf(await on(["write-tree"])), problems };
}

async function update(
  on: OnIndex,
  how: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length > 0) await on(["update-index", ...how, "-z", "--stdin"], bytesOf(paths));
}

export async function openIndex(
  shell: GitShell,
  spec: Pick<StageSpec, "commonDirectory" | "workTree" | "into" | "objects">,
): Promise<OnIndex> {
  const config: readonly Setting[] = await shell.fileSettings(spec.commonDirectory);
  const { workTree, into: index } = spec;
  return async (args, input) => {
    const options: ShellOptions = { workTree, index, config, ...(input ? { input } : {}) };
    return outputOf({ args }, await shell[spec.objects](spec.commonDirectory, args, options));
  };
}

export async function refresh(on: OnIndex): Promise<void> {
  await on(["update-index", "-q", "--ignore-missing", "--unmerged", "--refresh"]).catch(
    // Exit code 1 says that some files need an update: that is what we look for next.
    () => undefined,
  );
}

/** A copy of the index, or the head if the index is missing, unreadable, unmerged or hides files. */
async function loadIndex(on: OnIndex, spec: StageSpec): Promise<readonly Listed[]> {
  if (await copyIndex(spec.index, spec.into)) {
    const rows = await listIndex(on).catch(() => undefined);
    const isUsable = (tag: string): boolean =>
      tag === "H" ||
      (spec.keepsHidden && tag.toUpperCase() === "S") ||
      (spec.keepsHidden && tag === "h");
    if (rows?.every(({ tag, stage }) => stage === "0" && isUsable(tag))) return rows;
  }
  // git would copy the flags of the old entries.
  await rm(spec.into, { force: true });
  await on(["read-tree", spec.head ?? "--empty"]);
  return listIndex(on);
}

async function listIndex(on: OnIndex) {
  return fieldsOfZ(await on(["ls-files", "-v", "-s", "-z"])).map((row) => {
    const [tag = "", mode = "", , stage = ""] = row.slice(0, row.indexOf("\t")).split(" ");
    return { tag, stage, isLink: mode === "160000", path: row.slice(row.indexOf("\t") + 1) };
  });
}

type Changed = { readonly path: string; readonly isGone: boolean; readonly isLink: boolean };

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

function parseRaw(output: Buffer): Changed[] {
  const fields = fieldsOfZ(output);
  const changed: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , , status = ""] = (fields[at] ?? "").split(" ");
    const path = fields[at + 1] ?? "";
    changed.push({ path, isGone: status.startsWith("D"), isLink: mode === "160000" });
  }
  return changed;
}

/** What is too large is left out: the file stays in the worktree, and a person decides. */
async function withinLimits(
  { limits, workTree }: StageSpec,
  modified: readonly Changed[],
  fresh: readonly string[],
  problems: CaptureProblem[],
): Promise<string[]> {
  const edited = modified.filter(({ isGone }) => !isGone);
  if (!limits) return [...edited.map(pathOf), ...fresh];
  const isTooMany = fresh.length > limits.maxNewFiles;
  if (isTooMany) problems.push({ type: "too_many_new_files", count: fresh.length });
  const taken = edited.filter(({ isLink }) => isLink).map(pathOf);
  const files = edited.filter(({ isLink }) => !isLink).map(pathOf);
  const measured = [...files, ...(isTooMany ? [] : fresh)];
  for (const path of measured) {
    const bytes = await sizeOf(workTree, path);
    if (bytes > limits.maxFileBytes) {
      problems.push({ type: "file_too_large", path: nameOf(path), bytes });
    } else if (await isReadable(workTree, path)) taken.push(path);
    else problems.push({ type: "file_unreadable", path: nameOf(path) });
  }
  return taken;
}

/** A tracked file that is a pipe, a socket or a device now is gone as a file: git cannot store it. */
async function withoutSpecial(
  { workTree }: StageSpec,
  changed: readonly Changed[],
): Promise<readonly Changed[]> {
  const seen: Changed[] = [];
  for (const each of changed) {
    const found = each.isGone || each.isLink ? undefined : await statOf(workTree, each.path);
    const isSpecial = found && !found.isFile() && !found.isSymbolicLink() && !found.isDirectory();
    seen.push(isSpecial ? { ...each, isGone: true } : each);
  }
  return seen;
}

async function sizeOf(workTree: string, path: string): Promise<number> {
  return (await statOf(workTree, path))?.size ?? 0;
}

/** One file that git cannot read would fail the whole capture. */
async function isReadable(workTree: string, path: string): Promise<boolean> {
  if (!(await statOf(workTree, path))?.isFile()) return true;
  // Opens it: `access` asks for the real user, git works as the effective one.
  try {
    await (await open(placeOf(workTree, path))).close();
  } catch (error) {
    return !isCode(error, "EACCES", "EPERM");
  }
  return true;
}

async function statOf(workTree: string, path: string): Promise<Stats | undefined> {
  return lstat(placeOf(workTree, path)).catch(() => undefined);
}

/** The bytes of a name need not be valid UTF-8. */
function placeOf(workTree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(workTree, "/")), Buffer.from(path, "latin1")]);
}
