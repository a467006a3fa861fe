import type { Approval } from "../../domain/approvals/approval.ts";
import type { GroupId } from "../../domain/ids.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { isTakenHere } from "../agents/is-taken-here.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { Core } from "../core.ts";
import type { MergeConflict } from "../ports/git.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import type { StageChange } from "./stage-base.ts";

const STOP = "stop";

const TITLES = {
  ja: (stage: number) => `ステージ ${stage} の変更が競合しています。どれを使って続けますか？`,
  en: (stage: number) => `The changes of stage ${stage} conflict. Which one to go on with?`,
} as const;

export type StageConflict = {
  readonly stageIndex: number;
  /** The answer with which the changes were merged. */
  readonly answer: string | undefined;
  readonly changes: readonly StageChange[];
  readonly conflicts: readonly (StageChange & { readonly conflicts: readonly MergeConflict[] })[];
};

/** Asks once per stage, and holds the agent until a person has answered. */
export async function askAboutStage(
  core: Core,
  workspace: Workspace,
  { stageIndex, answer, changes, conflicts }: StageConflict,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    // Locks the row as releaseStage does: otherwise the agent could be held after its release, and
    // two servers could ask at the same time.
    await unit.getGroup(workspace.groupId);
    const agent = await unit.getAgent(workspace.agentId);
    if (agent?.process !== "waiting" || !isTakenHere(core, agent)) return;
    // Answered during the merges: the next round of the dispatcher merges with the answer.
    if ((await stageAnswer(unit, workspace.groupId, stageIndex)) !== answer) return;
    // It gives its slot back, and any server may take it after the answer.
    await unit.updateAgent({ ...agent, held: true, workerId: null }, agent);
    if (await isAsked(unit, workspace.groupId, stageIndex)) return;
    await requestApproval(core, unit, {
      kind: "question",
      taskId: workspace.taskId,
      agentId: agent.id,
      requester: workspace.requester ?? "unknown",
      title: TITLES[core.settings.locale](stageIndex + 1),
      binding: bindingOf(workspace.groupId, stageIndex),
      choices: [...changes.map(({ agentId }) => agentId), STOP],
      shown: {
        groupId: workspace.groupId,
        stage: stageIndex + 1,
        conflicts: conflicts.map((each) => ({
          agentId: each.agentId,
          files: each.conflicts.map(({ path }) => path),
        })),
      },
    });
  });
}

/** The agent whose change a person chose, `stop`, or undefined while there is no answer. */
export async function stageAnswer(
  queries: Pick<Queries, "listApprovalsByBinding">,
  groupId: GroupId,
  stageIndex: number,
): Promise<string | undefined> {
  const [newest] = await queries.listApprovalsByBinding(bindingOf(groupId, stageIndex));
  if (newest?.status === "rejected" || newest?.status === "expired") return STOP;
  return newest?.status === "approved" ? (newest.choice?.answer ?? STOP) : undefined;
}

/** After the answer the agents of the stage may start: their worktrees are prepared again. */
export async function releaseStage(core: Core, groupId: GroupId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const group = await unit.getGroup(groupId);
    if (!group?.stages || group.stages.current === 0) return;
    const { current } = group.stages;
    if (await isAsked(unit, groupId, current - 1)) return;
    for (const agent of await unit.listStageAgents(groupId, current)) {
      if (agent.held && agent.process === "waiting") {
        await unit.updateAgent({ ...agent, held: false }, agent);
        // Another server may have a free slot for it.
        await unit.emit({
          type: "agent:status_update",
          groupId,
          agentId: agent.id,
          data: { status: agent.status },
          at: core.clock.now(),
        });
      }
    }
  });
  core.dispatchSoon();
}

async function isAsked(unit: UnitOfWork, groupId: GroupId, stageIndex: number): Promise<boolean> {
  const known = await unit.listApprovalsByBinding(bindingOf(groupId, stageIndex));
  return known.some(({ status }) => status === "pending");
}

/** The group whose stage an approval is about. */
export function groupOfStageQuestion({ binding }: Pick<Approval, "binding">): GroupId | undefined {
  const found = binding?.match(/^stage:(grp-[^:]+):\d+$/)?.[1];
  return found?.startsWith("grp-") ? `grp-${found.slice(4)}` : undefined;
}

function bindingOf(groupId: GroupId, stageIndex: number): string {
  return `stage:${groupId}:${stageIndex}`;
}
