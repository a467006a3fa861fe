import type { WorktreeDamage } from "../../domain/workspaces/worktree-damage.ts";

/** The id of a commit, a tree or a blob: 40 (or 64) lower-case hex digits. */
export type Oid = string;

/** Every branch of ours is below it, without `refs/heads/`. */
export const BRANCH_PREFIX = "kuromajutsu/";
/** Every other ref of ours is below it. It is neither cloned nor pushed by default. */
export const REF_PREFIX = "refs/kuromajutsu/";

/** A git repository, found from a directory inside one of its working trees. */
export type Repository = {
  /** Real path of the common git directory: the key of the repository. */
  readonly commonDirectory: string;
  /** Real path of the top of the working tree that holds the directory. */
  readonly root: string;
  /** The directory relative to `root`; empty at the top. */
  readonly prefix: string;
  /** null: no commit yet. */
  readonly head: Oid | null;
  /** The checked-out branch without `refs/heads/`; null: detached. */
  readonly branch: string | null;
};

export type WorktreeSpec = {
  /** Written into the lock reason, so that a restarted daemon knows its own worktrees. */
  readonly id: string;
  /** Absolute, below our own root, never inside the repository. */
  readonly path: string;
  /** Without `refs/heads/`, and below `BRANCH_PREFIX`. */
  readonly branch: string;
  readonly base: Oid;
};

/** What git knows about one worktree of ours. */
export type WorktreeState =
  | { readonly state: "missing" }
  /** `prepared`: checked out completely on the right branch. */
  | { readonly state: "present"; readonly head: Oid; readonly isPrepared: boolean }
  /** The directory or its git entry is there, but not both, or it is not what we made. */
  | { readonly state: "damaged"; readonly reason: WorktreeDamage };

export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "typechange";

export type FileChange = {
  readonly path: string;
  /** The earlier path of a renamed file. */
  readonly from: string | null;
  readonly status: FileStatus;
  readonly kind: "file" | "symlink" | "submodule";
  readonly isBinary: boolean;
  /** null for binary files. */
  readonly added: number | null;
  readonly removed: number | null;
  /** The executable bit changed. */
  readonly modeChanged: boolean;
  /** Only line endings differ. */
  readonly lineEndingsOnly: boolean;
  /** A symbolic link whose target is outside the working tree. */
  readonly leavesTree: boolean;
};

export type CaptureLimits = { readonly maxFileBytes: number; readonly maxNewFiles: number };

export type Capture = {
  /** The commit on the branch; the branch's own head if the agent left nothing uncommitted. */
  readonly commit: Oid;
  readonly tree: Oid;
  /** What was left out or looks wrong. Empty: all of it is captured. */
  readonly attention: readonly CaptureProblem[];
};

export type CaptureProblem =
  | { readonly type: "file_too_large"; readonly path: string; readonly bytes: number }
  /** The daemon may not read it; a container may have written it as another user. */
  | { readonly type: "file_unreadable"; readonly path: string }
  | { readonly type: "too_many_new_files"; readonly count: number }
  /** A repository inside the worktree: git would store a link without its contents. */
  | { readonly type: "nested_repository"; readonly path: string }
  /** A submodule has commits or files that exist only in this worktree. */
  | { readonly type: "submodule_work"; readonly path: string }
  /** More than half of the files are gone. */
  | { readonly type: "mass_deletion"; readonly deleted: number; readonly total: number }
  /** The worktree is on another branch; the change was captured from what is there. */
  | { readonly type: "other_branch"; readonly branch: string | null };

export type CaptureSpec = {
  readonly worktree: WorktreeSpec;
  /** `refs/kuromajutsu/change/<id>/<n>`: keeps this version, whatever happens to the branch. */
  readonly keepAs: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly limits: CaptureLimits;
  readonly at: number;
};

export type MergePreview =
  | { readonly clean: true; readonly tree: Oid }
  | { readonly clean: false; readonly conflicts: readonly MergeConflict[] };

export type MergeConflict = {
  readonly path: string;
  /** As git names it: `contents`, `modify/delete`, `add/add`, `binary`, … */
  readonly type: string;
};

export type MergeMode = "squash" | "merge" | "rebase";

export type MergeSpec = {
  readonly onto: Oid;
  readonly change: Oid;
  /** The commit that the change began from; a snapshot of uncommitted work is not merged. */
  readonly base: Oid;
  readonly mode: MergeMode;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: number;
};

export type MergeBuilt =
  | { readonly built: true; readonly commit: Oid; readonly tree: Oid }
  | { readonly built: false; readonly conflicts: readonly MergeConflict[] };

/** Commits of a worker on their way into the repository. */
export type BundleSpec = {
  readonly branch: string;
  /** The repository has it, and the new commits must be on top of it. */
  readonly base: Oid;
  readonly commit: Oid;
  /** Below `refs/kuromajutsu/`. */
  readonly keepAs: string;
  /** 0: there is no bundle, because the repository has the commit. */
  readonly bytes: number;
};

/** Commits of the repository on their way to a worker. */
export type OutgoingBundle = {
  readonly bytes: number;
  /** At most `maxBytes` from the offset on. */
  read(offset: number, maxBytes: number): Promise<Uint8Array>;
};

/** What happened to a branch that was asked to move from `from` to `to`. */
export type BranchMove =
  | { readonly result: "moved" }
  /** The branch is not at `from` any more. */
  | { readonly result: "moved_meanwhile"; readonly now: Oid | null }
  /** A person has it checked out here; nothing was changed. */
  | { readonly result: "checked_out"; readonly path: string };

export type CheckoutMove =
  | { readonly result: "moved" }
  | { readonly result: "moved_meanwhile"; readonly now: Oid | null }
  /** Nothing changed. `paths`: the files that are in the way, if files are. */
  | {
      readonly result: "refused";
      readonly reason: CheckoutRefusal;
      readonly paths: readonly string[];
    };

export type CheckoutRefusal =
  /** Uncommitted work of the person is in the way. */
  | "overlap"
  /** A merge, rebase, cherry-pick, revert or bisect is in progress. */
  | "in_progress"
  /** Another branch is checked out there. */
  | "other_branch"
  /** Another git command is at work there, or has left its `index.lock`. */
  | "locked"
  /** `to` does not contain `from`. */
  | "not_fast_forward"
  /** A changed file goes through a filter (Git LFS, git-crypt, …), and we run none. */
  | "filtered";

/**
 * Git, run without a shell, without hooks, filters, fsmonitor, external diff or credential prompts of
 * the repository, in a fixed environment and with a time limit. Every method that fails for a reason
 * outside our control (git missing or too old, disk full, a repository that is gone) throws a
 * `Refusal` with a sentence that says what to do.
 *
 * Changing methods are serialized per repository where git itself is not safe to run in parallel,
 * and idempotent: called again after a crash they finish what the crashed process began.
 */
export type Git = {
  /** undefined: the directory is not inside a working tree. */
  find(directory: string): Promise<Repository | undefined>;
  /** undefined: the name resolves to no commit. */
  resolve(commonDirectory: string, name: string): Promise<Oid | undefined>;
  /** The working tree as it is, untracked files included, as a commit on top of HEAD, kept by `ref`. Changes neither index nor files. */
  snapshot(root: string, ref: string, at: number): Promise<Oid>;

  addWorktree(commonDirectory: string, spec: WorktreeSpec): Promise<void>;
  inspectWorktree(commonDirectory: string, spec: WorktreeSpec): Promise<WorktreeState>;
  /**
   * Keeps what the worktree holds as `saveAs` (on top of what it keeps already), moves the directory
   * to a trash folder beside it, makes git forget the entry and deletes the trash. The branch stays.
   * `confirm` is asked when no other call works on the directory; a rejection removes nothing.
   */
  removeWorktree(
    commonDirectory: string,
    spec: WorktreeSpec,
    saveAs: string,
    confirm?: () => Promise<void>,
  ): Promise<void>;
  /** A detached worktree for checks, reset to the commit and cleaned. Made on first use. */
  prepareIntegration(commonDirectory: string, path: string, id: string, commit: Oid): Promise<void>;

  /** Commits everything in the worktree on its branch and keeps the version as a ref. */
  capture(commonDirectory: string, spec: CaptureSpec): Promise<Capture>;
  /** The paths that differ from the base in a worktree whose agent is at work; takes no lock. */
  changedPaths(path: string, base: Oid): Promise<readonly string[]>;
  /** The tree of a worktree whose agent is at work, in objects outside the repository; for previews. */
  previewTree(commonDirectory: string, path: string): Promise<Oid>;

  /** A commit of that tree on top of the parent, also outside the repository: for `previewMerges`. */
  previewCommit(commonDirectory: string, tree: Oid, parent: Oid): Promise<Oid>;

  /** `from` and `to` are commits or trees, also those of a preview. */
  listChanges(commonDirectory: string, from: Oid, to: Oid): Promise<readonly FileChange[]>;
  /** A unified patch of one file; null: longer than `maxBytes`. */
  filePatch(
    commonDirectory: string,
    from: Oid,
    to: Oid,
    change: Pick<FileChange, "path" | "from">,
    maxBytes: number,
  ): Promise<string | null>;
  /** A file of a commit as bytes; undefined: not there; null: longer than `maxBytes`. */
  readFile(
    commonDirectory: string,
    commit: Oid,
    path: string,
    maxBytes: number,
  ): Promise<Uint8Array | undefined | null>;

  /** One process for all pairs. Rejects if one of them is no commit. Adds no object to the repository. */
  previewMerges(
    commonDirectory: string,
    pairs: readonly { readonly ours: Oid; readonly theirs: Oid }[],
  ): Promise<readonly MergePreview[]>;
  buildMerge(commonDirectory: string, spec: MergeSpec): Promise<MergeBuilt>;
  /** Compare and swap; never moves a branch that is checked out somewhere. `from` null: must not exist. */
  moveBranch(
    commonDirectory: string,
    branch: string,
    from: Oid | null,
    to: Oid,
  ): Promise<BranchMove>;
  /** Fast-forwards a branch in the checkout where a person has it, if that changes no work of theirs. */
  fastForwardCheckout(path: string, branch: string, from: Oid, to: Oid): Promise<CheckoutMove>;
  /** Deletes a branch of ours if it still is at `at`; false: it moved, is checked out or is gone. */
  deleteBranch(commonDirectory: string, branch: string, at: Oid): Promise<boolean>;
  /** Creates or moves a ref below `refs/kuromajutsu/`. */
  keep(commonDirectory: string, ref: string, commit: Oid): Promise<void>;
  forget(commonDirectory: string, refs: readonly string[]): Promise<void>;
  /** Whether `ancestor` is reachable from `commit`. */
  isAncestor(commonDirectory: string, ancestor: Oid, commit: Oid): Promise<boolean>;

  /** The address that others can fetch the repository from, without a password; undefined: none. */
  remoteUrl(commonDirectory: string): Promise<string | undefined>;
  /**
   * Takes the commits of a bundle that may be hostile, moves the branch to them and keeps them. `read`
   * gives a piece from an offset on. A refusal changes nothing in the repository.
   */
  takeBundle(
    commonDirectory: string,
    spec: BundleSpec,
    read: (offset: number) => Promise<Uint8Array>,
  ): Promise<{ readonly tree: Oid }>;
  /**
   * Makes a bundle of the commit and of its history up to the commits in `has`; it exists only while
   * `give` runs. Returns false, without calling `give`, if no commit in `has` is in the history.
   */
  giveBundle(
    commonDirectory: string,
    spec: { readonly commit: Oid; readonly has: readonly Oid[] },
    give: (bundle: OutgoingBundle) => Promise<void>,
  ): Promise<boolean>;

  /**
   * A hash of what could make git run a command in this repository: configuration, hooks, attributes
   * and info files. It is compared before and after an agent ran. `worktree`: the path of its worktree.
   */
  fingerprint(commonDirectory: string, worktree?: string): Promise<string>;
  /** Bytes on disk below a directory; 0 if it is gone. */
  diskUse(path: string): Promise<number>;
};
