import { isSettled } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Queries } from "../ports/store.ts";

/** By its own id, or by the id of an agent that works or worked in it. */
export async function requireWorkspace(
  queries: Pick<Queries, "getWorkspace" | "getAgent">,
  id: string,
): Promise<Workspace> {
  const own = await queries.getWorkspace(id);
  if (own) return own;
  const agent = await queries.getAgent(id);
  const found = agent?.workspaceId ? await queries.getWorkspace(agent.workspaceId) : undefined;
  if (found) return found;
  throw new Refusal(
    "WORKSPACE_NOT_FOUND",
    agent
      ? {
          en: [
            `Agent ${id} has no worktree of its own: it worked in ${agent.workingDirectory}.`,
            "Its files are there. Set isolation to worktree to get a change that can be reviewed.",
          ],
          ja: [
            `エージェント ${id} に専用の作業ツリーはありません。${agent.workingDirectory} で作業しました。`,
            "ファイルはそこにあります。レビューできる変更にするには isolation を worktree にしてください。",
          ],
        }
      : {
          en: [
            `There is no workspace and no agent ${id}.`,
            "`kuromajutsu changes` lists the changes of agents.",
          ],
          ja: [
            `作業ツリーにもエージェントにも ${id} はありません。`,
            "`kuromajutsu changes` で変更の一覧を見られます。",
          ],
        },
  );
}

/** Refuses while an agent works in it. */
export async function requireIdle(
  queries: Pick<Queries, "getAgent">,
  workspace: Workspace,
): Promise<void> {
  const agent = await queries.getAgent(workspace.agentId);
  if (!agent || isSettled(agent)) return;
  throw new Refusal("WORKSPACE_IN_USE", {
    en: [
      `Agent ${agent.id} is still at work in its worktree.`,
      "Wait until it has ended, or stop it first.",
    ],
    ja: [
      `エージェント ${agent.id} がまだ作業ツリーで作業しています。`,
      "終わるのを待つか、先に停止してください。",
    ],
  });
}

/** Refuses a change that people have decided about. */
export function requireOpenChange(workspace: Workspace): void {
  if (workspace.outcome === "open") return;
  const isMerged = workspace.outcome === "merged";
  throw new Refusal("CHANGE_NOT_OPEN", {
    en: [
      `The change of ${workspace.agentId} was ${isMerged ? "merged" : "discarded"} already.`,
      isMerged ? "Undo the merge first, if it must not stay." : "Its commits are kept for a while.",
    ],
    ja: [
      `${workspace.agentId} の変更は、すでに${isMerged ? "取り込まれています" : "破棄されています"}。`,
      isMerged
        ? "残したくない場合は、先に取り込みを取り消してください。"
        : "コミットはしばらく残ります。",
    ],
  });
}
