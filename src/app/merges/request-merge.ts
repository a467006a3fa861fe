import type { ChangeVersion } from "../../domain/changes/change.ts";
import type { MergeId } from "../../domain/ids.ts";
import { isMergeOver, type Merge, type MergeMode } from "../../domain/merges/merge.ts";
import { summaryLine } from "../../domain/text/summary-line.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { Queries } from "../ports/store.ts";
import { requireChangeHere } from "../workspaces/place-of-change.ts";
import {
  requireIdle,
  requireOpenChange,
  requireWorkspace,
} from "../workspaces/require-workspace.ts";
import { listAllMerges } from "./list-merges.ts";
import { mergeEvent } from "./merge-event.ts";
import { alreadyOpen, noTarget, nothingChanged, oldVersion } from "./merge-refusals.ts";
import { previewMerge, type PreviewedMerge } from "./preview-merge.ts";

export type RequestMerge = {
  /** The id of the agent or of its workspace. */
  readonly id: string;
  /** The version that the person saw. */
  readonly version: number;
  readonly target?: string;
  readonly mode?: MergeMode;
  readonly message?: string;
  readonly intoCheckout?: boolean;
};

/** Asks people to approve that one version of a change goes into a branch. */
export async function requestMerge(
  core: Core,
  identity: Identity,
  input: RequestMerge,
): Promise<Merge> {
  const person = requirePerson(identity, "operator");
  const workspace = await requireWorkspace(core.store, input.id);
  const version = await requireMergeable(core.store, workspace, input.version);
  const target = input.target ?? core.settings.workspace.mergeTarget ?? workspace.target;
  if (target === null) throw noTarget(workspace);
  await requireChangeHere(core, workspace);
  const plan = {
    id: `mrg-${core.random.ulid(core.clock.now())}` as const,
    workspace,
    version,
    target,
    mode: input.mode ?? core.settings.workspace.mergeMode,
    message: input.message ?? (await defaultMessage(core, workspace)),
    intoCheckout: input.intoCheckout ?? false,
  };
  const preview = await previewMerge(core, plan);
  return insertMerge(core, person.id, plan, preview);
}

export type MergePlan = {
  readonly id: MergeId;
  readonly workspace: Workspace;
  readonly version: ChangeVersion;
  readonly target: string;
  readonly mode: MergeMode;
  readonly message: string;
  readonly intoCheckout: boolean;
};

async function insertMerge(
  core: Core,
  requester: string,
  plan: MergePlan,
  { shown }: PreviewedMerge,
): Promise<Merge> {
  const { id, workspace, version, target } = plan;
  return core.store.transaction(async (unit) => {
    // Git was asked outside of this transaction: the change may have moved on meanwhile.
    await requireMergeable(unit, await requireWorkspace(unit, workspace.id), version.version);
    const approval = await requestApproval(core, unit, {
      kind: "merge",
      taskId: workspace.taskId,
      requester,
      title: TITLES[core.settings.locale](workspace.agentId, target),
      agentId: workspace.agentId,
      subjectId: id,
      shown,
    });
    const merge: Merge = {
      id,
      workspaceId: workspace.id,
      agentId: workspace.agentId,
      groupId: workspace.groupId,
      taskId: workspace.taskId,
      repository: workspace.repository,
      version: version.version,
      change: version.commit,
      base: version.base,
      target,
      mode: plan.mode,
      message: plan.message,
      status: "awaiting_approval",
      approvalId: approval.id,
      requester,
      intoCheckout: plan.intoCheckout,
      from: null,
      result: null,
      checkExit: null,
      checkOutput: null,
      serverId: null,
      problem: null,
      conflicts: [],
      createdAt: core.clock.now(),
      queuedAt: null,
      endedAt: null,
      revision: 1,
    };
    await unit.insertMerge(merge);
    await recordAudit(core, unit, {
      actor: requester,
      action: "merge.requested",
      subject: id,
      data: {
        agentId: workspace.agentId,
        workspaceId: workspace.id,
        version: version.version,
        change: version.commit,
        target,
        mode: plan.mode,
        approvalId: approval.id,
        shownHash: approval.shownHash,
      },
    });
    await unit.emit(mergeEvent(core, merge));
    return merge;
  });
}

const TITLES = {
  ja: (agentId: string, target: string) => `${agentId} の変更を ${target} に取り込みますか？`,
  en: (agentId: string, target: string) => `Merge the change of ${agentId} into ${target}?`,
} as const;

/** The newest version, if people may decide about it now. */
async function requireMergeable(
  queries: Queries,
  workspace: Workspace,
  version: number,
): Promise<ChangeVersion> {
  requireOpenChange(workspace);
  await requireIdle(queries, workspace);
  if (workspace.version !== version) throw oldVersion(workspace, version);
  const found = await queries.getVersion(workspace.id, version);
  if (!found) throw oldVersion(workspace, version);
  if (found.files === 0) throw nothingChanged(workspace);
  const merges = await listAllMerges(queries, { workspaceId: workspace.id });
  const open = merges.find((merge) => !isMergeOver(merge) && merge.version === version);
  if (open) throw alreadyOpen(open);
  return found;
}

const SUBJECT_CHARS = 72;

/** The agent's own summary as the subject; the trailers are those of its own commits. */
async function defaultMessage(core: Core, workspace: Workspace): Promise<string> {
  const { agentId, groupId, taskId } = workspace;
  const result = await core.store.getResult(agentId);
  const summary = result?.status === "success" ? summaryLine(result, SUBJECT_CHARS) : "";
  return [
    summary || `Change of ${agentId}`,
    "",
    `Kuromajutsu-Agent: ${agentId}`,
    `Kuromajutsu-Group: ${groupId}`,
    ...(taskId === null ? [] : [`Kuromajutsu-Task: ${taskId}`]),
  ].join("\n");
}
