import type { AgentId, GroupId, TaskId, WorkspaceId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";
import type { Attention } from "./attention.ts";

/** How an agent is kept apart from others. `auto` decides when the agent is planned. */
export const ISOLATIONS = ["auto", "worktree", "none"] as const;
export type Isolation = (typeof ISOLATIONS)[number];

export const WORKSPACE_STATUSES = [
  "planned",
  "preparing",
  "ready",
  "captured",
  "failed",
  "damaged",
  "retired",
] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

export const WORKSPACE_EVENTS = [
  "prepare",
  "prepared",
  "prepare_failed",
  "handed_back",
  "captured",
  "damaged",
  "reopened",
  "retired",
] as const;
export type WorkspaceEvent = (typeof WORKSPACE_EVENTS)[number];

/**
 * The directory of an isolated agent. `ready`: the agent may start or is at work. `captured`: its
 * change is a commit. `retired`: the directory is gone, refs keep what it held. `handed_back`: a
 * worker could not fetch the commit, so another host makes the directory.
 */
export const WORKSPACE_TRANSITIONS: Transitions<WorkspaceStatus, WorkspaceEvent> = {
  planned: { prepare: "preparing", prepare_failed: "failed", retired: "retired" },
  preparing: {
    prepare: "preparing",
    prepared: "ready",
    prepare_failed: "failed",
    handed_back: "planned",
    retired: "retired",
  },
  ready: {
    prepare: "preparing",
    captured: "captured",
    damaged: "damaged",
    reopened: "ready",
    retired: "retired",
  },
  captured: {
    captured: "captured",
    damaged: "damaged",
    reopened: "planned",
    retired: "retired",
  },
  failed: { prepare: "preparing", retired: "retired" },
  damaged: { captured: "captured", retired: "retired" },
  // A change that is sent back gets its directory again, from the branch.
  retired: { reopened: "planned" },
};

/** What people decided about the change. */
export const CHANGE_OUTCOMES = ["open", "merged", "discarded"] as const;
export type ChangeOutcome = (typeof CHANGE_OUTCOMES)[number];

/** Where the work begins. `stage`: the merged result of the stage before. */
export type WorkspaceBase =
  | { readonly kind: "head" }
  | { readonly kind: "working-tree" }
  | { readonly kind: "ref"; readonly ref: string }
  | { readonly kind: "agent"; readonly agentId: AgentId }
  | { readonly kind: "stage"; readonly stageIndex: number };

/** Why a worker could not fetch the commit that the work begins with. */
export type FetchProblem =
  /** The remote has not got it: it was not pushed. */
  | { readonly type: "unknown_commit"; readonly worker: string; readonly commit: string }
  /** `reason`: the words of git. */
  | { readonly type: "not_fetched"; readonly worker: string; readonly reason: string };

export type PortRange = { readonly from: number; readonly count: number };

/** The ports as variables of an agent and of the commands of its worktree. */
export function portVariables(ports: PortRange | null): Readonly<Record<string, string>> {
  if (ports === null) return {};
  return {
    PORT: String(ports.from),
    KUROMAJUTSU_PORT_FROM: String(ports.from),
    KUROMAJUTSU_PORT_TO: String(ports.from + ports.count - 1),
  };
}

export type Workspace = {
  readonly id: WorkspaceId;
  /** The agent that works in it, or the last one that did. */
  readonly agentId: AgentId;
  readonly groupId: GroupId;
  readonly taskId: TaskId | null;
  /** The person the work is for. */
  readonly requester: string | null;
  readonly status: WorkspaceStatus;
  readonly outcome: ChangeOutcome;
  /** The common git directory: the key of the repository. */
  readonly repository: string;
  /** The working tree of the caller; never written to. */
  readonly source: string;
  /** The agent's directory relative to the top of the tree. */
  readonly prefix: string;
  /** The worktree; the agent works in `path` joined with `prefix`. */
  readonly path: string;
  /** The worker whose disk has the worktree; null: a server has it. */
  readonly workerId: string | null;
  /**
   * The server whose repository has the branch and the versions, and whose disk has the worktree
   * unless a worker has it; null: no other server can have them.
   */
  readonly serverId: string | null;
  /** Why the last worker that was asked could not make the worktree. */
  readonly fetchProblem: FetchProblem | null;
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly basedOn: WorkspaceBase;
  /**
   * The commit that the change is compared with; null until it is known. A later stage and a
   * continued agent have the base of the work they continue.
   */
  readonly base: string | null;
  /** The commit that the worktree begins with; null until it is known. */
  readonly start: string | null;
  /** The branch that was checked out where the work was asked for; null: none was. */
  readonly target: string | null;
  /** How many versions of the change there are; 0: none yet. */
  readonly version: number;
  /** The commit of the newest version. */
  readonly head: string | null;
  /** Numbers of the newest version. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** What a person must look at: what the capture left out, a broken setup. */
  readonly attention: readonly Attention[];
  readonly ports: PortRange | null;
  readonly diskBytes: number | null;
  /** Git configuration and hooks when the agent started; a difference is reported. */
  readonly fingerprint: string | null;
  readonly createdAt: number;
  readonly capturedAt: number | null;
  /** When people decided. */
  readonly closedAt: number | null;
  readonly retiredAt: number | null;
  /** Incremented by every write. */
  readonly revision: number;
};

export function applyToWorkspace(
  workspace: Workspace,
  event: WorkspaceEvent,
  changes: Partial<Workspace> = {},
): Workspace {
  return {
    ...workspace,
    ...changes,
    status: nextState(
      WORKSPACE_TRANSITIONS,
      { en: `Workspace ${workspace.id}`, ja: `作業ツリー ${workspace.id} ` },
      workspace.status,
      event,
    ),
  };
}

/**
 * Whether a worker may make the worktree. What a server has prepared stays there: its directory would
 * be left behind, and a worker could not fetch what was captured in it.
 */
export function mayMoveToWorker({
  workerId,
  status,
  fingerprint,
}: Pick<Workspace, "workerId" | "status" | "fingerprint">): boolean {
  return workerId !== null || (status === "planned" && fingerprint === null);
}

/** Refs of ours are below this; clones do not copy them. */
export const REF_ROOT = "refs/kuromajutsu";

/** Keeps one version of a change, whatever happens to its branch. */
export function versionRef(id: WorkspaceId, version: number): string {
  return `${REF_ROOT}/change/${id}/${version}`;
}

/** Keeps what a directory held when it was removed. */
export function savedRef(id: WorkspaceId): string {
  return `${REF_ROOT}/saved/${id}`;
}

/** Keeps the caller's uncommitted work that a workspace began from. */
export function baseRef(id: WorkspaceId): string {
  return `${REF_ROOT}/base/${id}`;
}

export function branchOf(groupId: GroupId, agentId: AgentId): string {
  return `kuromajutsu/${groupId}/${agentId}`;
}
