import type { Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import type { Group } from "../../domain/groups/group.ts";
import { agentId as makeAgentId, type TaskId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { drawId } from "../draw-id.ts";
import { endOpenMerges } from "../merges/supersede-merges.ts";
import { requesterOf } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { namesOfClientKeys } from "../roles/names-of-client-keys.ts";
import { modelFor } from "../roles/resolve-runner.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import {
  insertWorkspace,
  isolatedOf,
  placeOf,
  requireDiskRoom,
  takeOverWorkspace,
} from "../workspaces/insert-workspaces.ts";
import { conversationOf, type Conversation } from "./conversation-of.ts";
import type { PlannedAgent } from "./plan-agent.ts";
import { labelsFor } from "./require-labels.ts";
import { conversationInUse } from "./require-resumable.ts";

export type Placement = Pick<Agent, "slot" | "stageIndex" | "held"> &
  Partial<Pick<Agent, "taskId" | "executionId" | "priority">>;

/** Columns that say where an agent works. */
type Place = "workingDirectory" | "tree" | "workspaceId";

export const AT_ONCE: Placement = { slot: "worker", stageIndex: null, held: false };

/**
 * Queues agents: all of them or none. The keys of the client are never stored; they are put into
 * memory after the commit, before the dispatcher gets the events of the agents.
 */
export async function insertAgents(
  core: Core,
  unit: UnitOfWork,
  identity: Identity,
  group: Group,
  planned: readonly (PlannedAgent & Placement)[],
): Promise<readonly Agent[]> {
  if (identity.kind === "agent") await requireNotStopped(unit, identity.agentId);
  await requireRoom(core, unit, planned.length);
  const now = core.clock.now();
  const work = await workOf(unit, identity);
  const requester = await requesterFor(core, unit, identity, planned[0]?.taskId ?? work.taskId);
  const keyNames = await keyNamesOf(unit, identity, planned[0]?.taskId ?? work.taskId);
  const isolated = await isolatedOf(unit, planned);
  if (isolated.includes(true)) await requireDiskRoom(core, unit);
  const agents: Agent[] = [];
  for (const [index, item] of planned.entries()) {
    const placed = { ...work, ...item };
    const isIsolated = isolated[index] === true;
    const conversation = await conversationFor(unit, item);
    const draft = {
      ...draftOf(core, keyNames, group, placed, now),
      ...placeOf(core, placed, isIsolated),
      requester,
      resumeSession: conversation?.sessionId ?? null,
      resumedAgentId: conversation ? (item.resumes?.id ?? null) : null,
    };
    const id = await drawId(
      core.random,
      (hex) => makeAgentId(item.role.id, now, hex),
      (candidate) => unit.insertAgent({ ...draft, id: candidate }, item.request.prompt),
    );
    agents.push({ ...draft, id });
    if (isIsolated) {
      await insertWorkspace(core, unit, { item: placed, group, agentId: id, requester });
    }
    const taken = await takeOverWorkspace(core, unit, item, id);
    if (taken) await endOpenMerges(core, unit, taken);
    if (conversation?.usage) {
      await unit.putProgress(id, { ...NO_PROGRESS, usageBefore: conversation.usage });
    }
    await unit.emit({
      type: "agent:created",
      groupId: group.id,
      agentId: id,
      data: {
        role: draft.role,
        model: draft.model,
        runner: draft.runner,
        status: draft.status,
        stageIndex: draft.stageIndex,
      },
      at: now,
    });
  }
  unit.afterCommit(() => {
    for (const { id } of agents) core.clientKeys.remember(id, identity.keys ?? {});
  });
  return agents;
}

/** A caller that names the agent to continue is refused if that is not possible. */
async function conversationFor(
  unit: UnitOfWork,
  { resumes, runner, request }: PlannedAgent,
): Promise<Conversation | null> {
  if (!resumes) return null;
  const conversation = await conversationOf(unit, resumes, runner.id);
  if (!conversation && request.resumeAgentId) throw conversationInUse(resumes);
  return conversation;
}

async function requireRoom(core: Core, unit: UnitOfWork, wanted: number): Promise<void> {
  const { waiting } = await unit.countByProcess();
  const { maxQueued } = core.settings;
  if (waiting + wanted <= maxQueued) return;
  throw new Refusal("MAX_CONCURRENT_REACHED", {
    en: [
      `The queue holds ${waiting} of ${maxQueued} agents; ${wanted} more do not fit.`,
      "Wait for running agents with wait_agent, request fewer, or raise agent.maxQueued.",
    ],
    ja: [
      `待ち行列には ${maxQueued} 体中 ${waiting} 体が並んでいて、あと ${wanted} 体は入りません。`,
      "wait_agent で実行中のエージェントを待つか、数を減らすか、agent.maxQueued を増やしてください。",
    ],
  });
}

function draftOf(
  core: Core,
  keyNames: readonly string[],
  group: Group,
  planned: PlannedAgent & Placement,
  now: number,
): Omit<Agent, "id" | "requester" | "resumeSession" | "resumedAgentId" | Place> {
  const { request, role, runner, slot, stageIndex, held } = planned;
  return {
    groupId: group.id,
    taskId: planned.taskId ?? null,
    executionId: planned.executionId ?? null,
    runnerNote: planned.note,
    role: role.id,
    runner: runner.id,
    model: modelFor(core, role, runner),
    status: "queued",
    process: "waiting",
    stopReason: null,
    access: role.access,
    timeoutMs: request.timeoutMs ?? core.settings.defaultTimeoutMs,
    priority: planned.priority ?? 0,
    slot,
    stageIndex,
    held,
    clientKeys: namesOfClientKeys(core, runner, keyNames),
    labels: labelsFor(role, request),
    workerId: null,
    attempt: 0,
    tokenHash: null,
    pid: null,
    pidStart: null,
    bootId: null,
    exitCode: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    reportedAt: null,
    helloAt: null,
    degraded: null,
    version: 1,
  };
}

/** The requester of the task, or else the person behind the caller. */
async function requesterFor(
  core: Core,
  unit: UnitOfWork,
  identity: Identity,
  taskId: TaskId | null | undefined,
): Promise<string | null> {
  const task = taskId ? await unit.getTask(taskId) : undefined;
  if (task) return task.requester;
  if (identity.kind !== "agent") return requesterOf(core, identity);
  return (await unit.getAgent(identity.agentId))?.requester ?? null;
}

/** Agents started by a task's agent inherit its task and execution. */
async function workOf(
  unit: UnitOfWork,
  identity: Identity,
): Promise<Pick<Placement, "taskId" | "executionId">> {
  const caller = identity.kind === "agent" ? await unit.getAgent(identity.agentId) : undefined;
  return caller ? { taskId: caller.taskId, executionId: caller.executionId } : {};
}

/**
 * Uses the stored names, not the keys in memory: after a restart the new agents wait for the key
 * too, and so do later agents of a task whose earlier agents had it.
 */
async function keyNamesOf(
  unit: UnitOfWork,
  identity: Identity,
  taskId: TaskId | null | undefined,
): Promise<readonly string[]> {
  const own = Object.keys(identity.keys ?? {});
  const caller = identity.kind === "agent" ? await unit.getAgent(identity.agentId) : undefined;
  const earlier = taskId ? await unit.listTaskAgents(taskId) : [];
  return [...own, ...[...(caller ? [caller] : []), ...earlier].flatMap((each) => each.clientKeys)];
}
