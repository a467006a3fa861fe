import type { Merge } from "../../domain/merges/merge.ts";
import type { Core, Settings } from "../core.ts";

/** What the queue needs of the core. */
export type MergeWorld = Pick<
  Core,
  | "store"
  | "isLeader"
  | "serverId"
  | "servers"
  | "clock"
  | "log"
  | "git"
  | "workspaceTools"
  | "tokens"
  | "directories"
> & { readonly settings: Pick<Settings, "workspace"> };

/** One round of the queue over one repository. */
export type MergeRound = {
  readonly core: MergeWorld;
  /** The common git directory. */
  readonly repository: string;
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
  /** Trees that passed the check, with its command: they are not checked again. */
  readonly passed: PassedTrees;
  /** The merges that the round carries out now. */
  readonly batch?: readonly Merge[];
};

/** Whether this server carries out the merge: the leader does, unless it gave it to another server. */
export function isCarriedOutHere(
  { serverId, isLeader }: Pick<MergeWorld, "serverId" | "isLeader">,
  merge: Pick<Merge, "serverId">,
): boolean {
  return merge.serverId === null ? isLeader() : merge.serverId === serverId;
}

export type PassedTrees = {
  has(tree: string, command: string): boolean;
  add(tree: string, command: string): void;
};

const MAX_REMEMBERED = 1_000;

function keyOf(tree: string, command: string): string {
  return `${tree} ${command}`;
}

export function createPassedTrees(): PassedTrees {
  const keys = new Set<string>();
  return {
    has: (tree, command) => keys.has(keyOf(tree, command)),
    add(tree, command) {
      keys.add(keyOf(tree, command));
      const [oldest] = keys;
      if (keys.size > MAX_REMEMBERED && oldest !== undefined) keys.delete(oldest);
    },
  };
}

/**
 * The daemon stops, or another server leads: the round ends here, and the next daemon or the leader
 * continues from the rows.
 */
export class RoundStopped extends Error {
  constructor() {
    super("The daemon stops, or does not lead any more.");
    this.name = "RoundStopped";
  }
}

/**
 * Call it before each step. A leader that was paused may still be one step too late: rows are changed
 * only in the state that the step has read, and git moves a branch only from the commit it was built on.
 */
export function requireRound({ core, signal, batch = [] }: MergeRound): void {
  const isOurs = batch.every((merge) => isCarriedOutHere(core, merge));
  if (signal.aborted || !isOurs) throw new RoundStopped();
}
