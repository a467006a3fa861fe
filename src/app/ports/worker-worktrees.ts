import type {
  Capture,
  CaptureSpec,
  Oid,
  OutgoingBundle,
  WorktreeSpec,
  WorktreeState,
} from "./git.ts";
import type { WorkspaceTools } from "./workspace-tools.ts";

/** The remote was not reached from the worker, or has not got the commit. */
export class NotFetched extends Error {
  /** The words of git; null: the remote has not got the commit. */
  readonly reason: string | null;

  constructor(reason: string | null) {
    super(reason ?? "The remote has not got the commit.");
    this.name = "NotFetched";
    this.reason = reason;
  }
}

/** `has`: commits of the remote that the worker has; empty if it is an older one. */
export type AddedWorktree =
  | { readonly isAdded: true }
  /** The remote has not got the commit. */
  | { readonly isAdded: false; readonly has: readonly Oid[] };

/**
 * Worktrees on the disk of a worker. Refusals of its git are thrown here as refusals. Answers are
 * checked, but may be lies: the commits are checked when they are taken.
 */
export type WorkerWorktrees = {
  /** Worktrees are below it: `root/key/id`, one key per remote. */
  readonly root: string;
  /** Fetches the commit and makes the worktree. Rejects with `NotFetched` if the remote is not reached. */
  add(url: string, spec: WorktreeSpec): Promise<AddedWorktree>;
  /** Sends commits that the remote has not got, for the worktree at this path. */
  sendBase(path: string, commit: Oid, bundle: OutgoingBundle): Promise<void>;
  inspect(spec: WorktreeSpec): Promise<WorktreeState>;
  fingerprint(path: string): Promise<string>;
  /** Captures it there. `bytes`: the size of the bundle with the new commits; 0: there are none. */
  capture(spec: CaptureSpec): Promise<Capture & { readonly bytes: number }>;
  /** A piece of the bundle of the last capture. */
  readBundle(path: string, offset: number): Promise<Uint8Array>;
  changedPaths(path: string, base: Oid): Promise<readonly string[]>;
  diskUse(path: string): Promise<number>;
  readonly tools: Pick<WorkspaceTools, "run" | "endLeftovers" | "copyIgnored" | "findPorts">;
};
