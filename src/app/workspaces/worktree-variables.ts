import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import { portVariables } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { worktreeOf } from "./worktree-of.ts";

/**
 * The variables of an agent in its own worktree. Refuses if the worktree is not there as it was made:
 * an agent that was promised isolation never starts without it.
 */
export async function worktreeVariables(
  core: Core,
  { workspaceId }: Agent,
): Promise<Readonly<Record<string, string>>> {
  if (workspaceId === null) return {};
  const workspace = await core.store.getWorkspace(workspaceId);
  const state =
    workspace && (await core.git.inspectWorktree(workspace.repository, worktreeOf(workspace)));
  if (!workspace || state?.state !== "present")
    throw notThere(state?.state === "damaged" ? state.reason : "");
  return {
    ...portVariables(workspace.ports),
    // Without its .git file the directory must not pass for a part of a repository above it.
    GIT_CEILING_DIRECTORIES: core.directories.resolve("..", workspace.path),
  };
}

function notThere(reason: string): Refusal {
  return new Refusal("ISOLATION_NOT_POSSIBLE", {
    en: [
      `The worktree of the agent is gone or damaged. ${reason}`.trim(),
      "Start the agent again: it gets a new worktree.",
    ],
    ja: [
      `エージェントの作業ツリーがないか、壊れています。${reason}`,
      "エージェントをもう一度起動すると、新しい作業ツリーが作られます。",
    ],
  });
}
