import type { Core, Settings } from "../core.ts";

/** What the queue needs of the core. */
export type MergeWorld = Pick<
  Core,
  "store" | "isLeader" | "clock" | "log" | "git" | "workspaceTools" | "tokens" | "directories"
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
};

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

/** The daemon stops: the round ends here, and the next daemon continues from the rows. */
export class RoundStopped extends Error {
  constructor() {
    super("The daemon stops.");
    this.name = "RoundStopped";
  }
}
