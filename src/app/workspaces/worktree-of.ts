import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { CaptureLimits, WorktreeSpec } from "../ports/git.ts";

/** The worktree as git knows it. */
export function worktreeOf({ id, path, branch, start, base }: Workspace): WorktreeSpec {
  const commit = start ?? base;
  if (commit === null) throw new Error(`The worktree ${id} has no commit to begin from.`);
  return { id, path, branch, base: commit };
}

/** An address that can never be a person's. */
export function captureAuthor(name: string) {
  return { name, email: "agent@kuromajutsu.invalid" };
}

export function limitsOf({ settings }: Pick<Core, "settings">): CaptureLimits {
  const { maxFileBytes, maxNewFiles } = settings.workspace;
  return { maxFileBytes, maxNewFiles };
}
