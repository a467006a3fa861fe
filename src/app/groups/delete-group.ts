import { hasResult } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group } from "../../domain/groups/group.ts";
import type { GroupId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import { isFinal } from "../../domain/tasks/task.ts";
import { removeTranscripts } from "../agents/remove-transcripts.ts";
import type { Core, Identity } from "../core.ts";
import type { LeftView, UnitOfWork } from "../ports/store.ts";
import { findMagentic } from "./find-magentic.ts";
import { requireActiveGroup } from "./require-group.ts";
import { requireOwnTree } from "./require-own-tree.ts";

/** How many agents of deleted groups stay in the lists; the history keeps all. */
const KEPT_IN_VIEW = 20;
/** Keeps an event small when a large group is deleted. */
const IDS_PER_EVENT = 500;

export type DeleteGroup = { readonly groupId: string };

/**
 * Deletes a group whose agents all have a result, together with its child groups. A process that
 * lingers after its report is still reaped. An agent that leaves the lists keeps its result; its
 * transcript is deleted.
 */
export async function deleteGroup(
  core: Core,
  identity: Identity,
  input: DeleteGroup,
): Promise<Group> {
  const { group, left } = await core.store.transaction(async (unit) => {
    const found = await requireActiveGroup(unit, input.groupId);
    await requireOwnTree(unit, identity, await findMagentic(unit, found), found);
    await requireNoTask(unit, found);
    const family = [found, ...(await activeDescendants(unit, found.id))];
    for (const each of family) await requireDone(unit, each, found);

    for (const each of family) await deleteOne(core, unit, each);
    const shrunk = await unit.shrinkView(KEPT_IN_VIEW);
    announceLeft(core, unit, shrunk);
    return { group: found, left: shrunk };
  });
  // A transcript that cannot be deleted now is deleted with the history.
  await removeTranscripts(core, left.agents).catch((error: unknown) => {
    core.log.error("Transcripts could not be deleted.", { error: String(error) });
  });
  return { ...group, status: "deleted" };
}

function announceLeft({ clock }: Core, unit: UnitOfWork, left: LeftView): void {
  const at = clock.now();
  for (let from = 0; from < left.agents.length; from += IDS_PER_EVENT) {
    const agentIds = left.agents.slice(from, from + IDS_PER_EVENT);
    const ids = { groupId: null, agentId: null };
    unit.emitTransient({ type: "agent:left_view", ...ids, data: { agentIds }, at });
  }
  for (const groupId of left.groups) {
    unit.emitTransient({ type: "group:left_view", groupId, agentId: null, data: {}, at });
  }
}

async function deleteOne(core: Core, unit: UnitOfWork, group: Group): Promise<void> {
  const now = core.clock.now();
  await unit.updateGroup(applyToGroup(group, "deleted", { deletedAt: now }), group);
  await unit.emit({
    type: "group:deleted",
    groupId: group.id,
    agentId: null,
    data: {},
    at: now,
  });
}

async function activeDescendants(unit: UnitOfWork, groupId: GroupId): Promise<Group[]> {
  const children = await unit.listChildGroups(groupId);
  const found: Group[] = [];
  for (const child of children) {
    if (child.status === "active") found.push(child);
    found.push(...(await activeDescendants(unit, child.id)));
  }
  return found;
}

/** A task needs its group until it is completed or cancelled; a failed task may be retried. */
async function requireNoTask(unit: UnitOfWork, group: Group): Promise<void> {
  const task = await unit.getTaskOfGroup(group.id);
  if (!task || isFinal(task)) return;
  throw new Refusal("TRANSITION_NOT_ALLOWED", {
    en: [
      `Group ${group.id} belongs to task ${task.id}, which is ${task.status}.`,
      "Wait until the task is completed, or cancel the task, then delete the group.",
    ],
    ja: [
      `グループ ${group.id} は、タスク ${task.id}（${statusInJapanese(task.status)}）のものです。`,
      "タスクの完了を待つか、タスクを中止してから削除してください。",
    ],
  });
}

async function requireDone(unit: UnitOfWork, group: Group, asked: Group): Promise<void> {
  const unsettled = await unit.listUnsettledAgents(group.id);
  const atWork = unsettled.filter((agent) => !hasResult(agent)).length;
  if (atWork === 0) return;
  const where = group.id === asked.id ? "" : `, in group ${group.id} that works for it`;
  throw new Refusal("GROUP_HAS_RUNNING_AGENTS", {
    en: [
      `Group ${asked.id} still has ${atWork} agent(s) queued or running${where}.`,
      "Wait for them with wait_agent, or stop them with cancel_agent, then delete the group.",
    ],
    ja: [
      `グループ ${asked.id} では、まだ ${atWork} 体のエージェントが待機中か実行中です${group.id === asked.id ? "" : `（その下のグループ ${group.id}）`}。`,
      "wait_agent で待つか、cancel_agent で停止してから、グループを削除してください。",
    ],
  });
}
