import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import { baseRef, type Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { Oid } from "../ports/git.ts";
import { askAboutStage, stageAnswer, type StageConflict } from "./ask-about-stage.ts";
import { captureAuthor } from "./worktree-of.ts";

export type StageBase =
  | { readonly kind: "found"; readonly base: Oid; readonly start: Oid }
  /** The changes of the stage conflict, and a person is asked which one to go on with. */
  | { readonly kind: "asked" };

/** One change of the stage before. */
export type StageChange = { readonly agentId: Agent["id"]; readonly head: Oid };

/** Where a later stage begins: the changes of the stage before, merged in the order of its agents. */
export async function stageBase(core: Core, workspace: Workspace): Promise<StageBase> {
  const { basedOn } = workspace;
  if (basedOn.kind !== "stage") throw new Error(`Workspace ${workspace.id} has no base.`);
  return afterStage(core, workspace, basedOn.stageIndex);
}

async function afterStage(
  core: Core,
  workspace: Workspace,
  stageIndex: number,
): Promise<StageBase> {
  const { repository } = workspace;
  const before = await workspacesOfStage(core, workspace, stageIndex);
  const first = before.find(({ base, start }) => base !== null && start !== null);
  if (!first?.base || !first.start) {
    // No agent of that stage began: the work of the stages before it must not be left out.
    const isSkipped = before.length > 0 && stageIndex > 0;
    return isSkipped ? afterStage(core, workspace, stageIndex - 1) : fromCheckout(core, workspace);
  }
  const answer = await stageAnswer(core.store, workspace.groupId, stageIndex);
  if (answer === "stop") throw stoppedByPerson(stageIndex);
  const changes = await changesOf(core, before);
  const chosen = changes.find(({ agentId }) => agentId === answer);
  const ordered = chosen ? [chosen, ...changes.filter((each) => each !== chosen)] : changes;
  let tip = first.start;
  const conflicts: StageConflict["conflicts"][number][] = [];
  for (const change of ordered) {
    const merged = await mergeInto(core, repository, tip, change);
    if (merged.built) tip = merged.commit;
    else conflicts.push({ ...change, conflicts: merged.conflicts });
  }
  // A person who has chosen one change knows that those in conflict with it are left out.
  if (conflicts.length > 0 && !chosen) {
    await askAboutStage(core, workspace, { stageIndex, answer, changes, conflicts });
    return { kind: "asked" };
  }
  // Without a ref a garbage collection could delete the merged commit.
  await core.git.keep(repository, baseRef(workspace.id), tip);
  return { kind: "found", base: first.base, start: tip };
}

/** The changes that a workspace begins from when its stage is due. */
export async function headsBefore(core: Core, workspace: Workspace): Promise<readonly Oid[]> {
  const { basedOn } = workspace;
  if (basedOn.kind !== "stage") return [];
  const before = await workspacesOfStage(core, workspace, basedOn.stageIndex);
  return before.flatMap(({ head }) => head ?? []);
}

async function workspacesOfStage(
  core: Core,
  { groupId, repository }: Workspace,
  stageIndex: number,
): Promise<readonly Workspace[]> {
  const agents = await core.store.listStageAgents(groupId, stageIndex);
  const ids = agents.flatMap(({ workspaceId }) => workspaceId ?? []);
  const found = await core.store.getWorkspaces(ids);
  return found.filter((each) => each.repository === repository);
}

/** The stage before worked in the checkout itself. */
async function fromCheckout(core: Core, { source }: Workspace): Promise<StageBase> {
  const head = (await core.git.find(source))?.head;
  if (head) return { kind: "found", base: head, start: head };
  throw new Refusal("ISOLATION_NOT_POSSIBLE", {
    en: [
      `The repository ${source} is gone or has no commit.`,
      "Put it back, then start the agents again.",
    ],
    ja: [
      `リポジトリ ${source} がないか、コミットがありません。`,
      "元に戻してから、エージェントをもう一度起動してください。",
    ],
  });
}

/** The change of an agent that failed is not part of the result; it stays on its branch. */
async function changesOf(
  core: Core,
  workspaces: readonly Workspace[],
): Promise<readonly StageChange[]> {
  const changes: StageChange[] = [];
  for (const { agentId, head } of workspaces) {
    const result = await core.store.getResult(agentId);
    if (head !== null && result?.status === "success") changes.push({ agentId, head });
  }
  return changes;
}

async function mergeInto(core: Core, repository: string, tip: Oid, { agentId, head }: StageChange) {
  if (await core.git.isAncestor(repository, head, tip))
    return { built: true, commit: tip } as const;
  return core.git.buildMerge(repository, {
    onto: tip,
    change: head,
    base: tip,
    mode: "merge",
    message: `Merge the change of ${agentId}\n\nKuromajutsu-Agent: ${agentId}`,
    author: captureAuthor("Kuromajutsu"),
    at: core.clock.now(),
  });
}

function stoppedByPerson(stageIndex: number): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `The changes of stage ${stageIndex + 1} conflict, and a person decided to stop here.`,
      "The changes stay on their branches: merge them one by one, or start the plan again.",
    ],
    ja: [
      `ステージ ${stageIndex + 1} の変更が競合し、ここで止めると決められました。`,
      "変更はブランチに残っています。1 つずつ取り込むか、計画をやり直してください。",
    ],
  });
}
