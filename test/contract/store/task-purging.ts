import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import type { Task } from "../../../src/domain/tasks/task.ts";
import {
  aGroup,
  anApproval,
  anExecution,
  aProcessDraft,
  aPromptDraft,
  aTask,
  aToolCall,
  NOON,
} from "../../kit/builders.ts";
import { numbered, type Open } from "./kit.ts";

const OLD = aGroup({ id: "grp-old", status: "deleted", deletedAt: NOON });
const LATER = NOON + 1_000;

export function taskPurging(aStore: Open): void {
  test("purging removes an old task with everything about it, then its group; the audit stays", async () => {
    const store = await aStore();
    const agent = old(1);
    await insertOutOfView(store, [past()], [agent]);
    await store.transaction(async (unit) => {
      await unit.insertPromptDraft(aPromptDraft());
      await unit.insertProcessDraft(aProcessDraft());
      await unit.insertExecution(anExecution({ status: "completed" }));
      await unit.insertApproval(anApproval({ status: "approved" }));
      await unit.insertToolCall(aToolCall({ status: "done" }));
      const deed = { at: NOON, actor: "suzuki", action: "task.created", data: {} };
      await unit.appendAudit({ ...deed, subject: aTask().id });
    });

    expect(await purge(store)).toEqual([agent.id]);

    expect(await store.getTask(aTask().id)).toBeUndefined();
    expect(await store.listPromptDrafts(aTask().id)).toEqual([]);
    expect(await store.listProcessDrafts(aTask().id)).toEqual([]);
    expect(await store.listExecutions(aTask().id)).toEqual([]);
    expect(await store.getApproval(anApproval().id)).toBeUndefined();
    expect(await store.listTaskToolCalls(aTask().id)).toEqual([]);
    expect(await store.getGroup(OLD.id)).toBeUndefined();
    expect(await store.countTasks()).toMatchObject({ completed: 0 });
    expect(await store.listAuditAfter(0, 10)).toHaveLength(1);
  });

  test.each<[string, Partial<Task>]>([
    ["waits for a person", { status: "awaiting_process_approval", endedAt: null }],
    ["is blocked", { status: "blocked", endedAt: null }],
    ["is in progress", { status: "in_progress", endedAt: null }],
    ["ended later", { status: "completed", endedAt: LATER }],
    ["failed later", { status: "failed", endedAt: LATER }],
  ])("agents of a task that %s stay however old, and the group too", async (_, over) => {
    const store = await aStore();
    const agent = old(1);
    await insertOutOfView(store, [past(over)], [agent, old(2, { taskId: null })]);

    expect(await purge(store)).toEqual([old(2).id]);

    expect(await store.getAgent(agent.id)).toEqual(agent);
    expect(await store.getTask(aTask().id)).toEqual(past(over));
    expect(await store.getGroup(OLD.id)).toEqual(OLD);
  });

  test("the group of a task without agents is not purged before the task", async () => {
    const store = await aStore();
    await insertOutOfView(store, [past({ status: "planning", endedAt: null })], []);

    await purge(store);

    expect(await store.getGroup(OLD.id)).toEqual(OLD);
  });

  test("a cancelled task whose execution has not stopped is not purged", async () => {
    const store = await aStore();
    await insertOutOfView(store, [past({ status: "cancelled" })], [old(1)]);
    const stopping = anExecution({ status: "stopping" });
    await store.transaction((unit) => unit.insertExecution(stopping));

    expect(await purge(store)).toEqual([]);
    await store.transaction((unit) =>
      unit.updateExecution({ ...stopping, status: "cancelled" }, stopping),
    );

    expect(await purge(store)).toEqual([old(1).id]);
    expect(await store.getTask(aTask().id)).toBeUndefined();
  });

  test("a task is not purged while one of its agents is kept", async () => {
    const store = await aStore();
    const later = old(1, { endedAt: LATER });
    const seen = aGroup({ id: "grp-seen" });
    await insertOutOfView(store, [past()], [later]);
    await store.transaction(async (unit) => {
      await unit.insertGroup(seen);
      await unit.insertTask(past({ id: "task-seen", groupId: seen.id }));
      await unit.insertAgent(old(2, { taskId: "task-seen", groupId: seen.id }), "");
    });

    expect(await purge(store)).toEqual([]);

    expect(await store.getTask(aTask().id)).toEqual(past());
    expect(await store.getTask("task-seen")).toBeDefined();
  });

  test("a decided approval without a task is purged after its agent", async () => {
    const store = await aStore();
    const loose = { taskId: null, status: "approved" } as const;
    await insertOutOfView(store, [], [old(1, { taskId: null })]);
    await store.transaction(async (unit) => {
      await unit.insertApproval(anApproval({ ...loose, id: "apr-1", agentId: old(1).id }));
      await unit.insertApproval(anApproval({ id: "apr-2", taskId: null, agentId: old(1).id }));
      await unit.insertApproval(anApproval({ ...loose, id: "apr-3", createdAt: LATER }));
      await unit.insertGroup(aGroup());
      await unit.insertAgent(numbered(2), "");
      await unit.insertApproval(anApproval({ ...loose, id: "apr-4", agentId: numbered(2).id }));
    });

    await purge(store);

    const { approvals } = await store.listApprovals({ limit: 10 });
    expect(approvals.map(({ id }) => id).toSorted()).toEqual(["apr-2", "apr-3", "apr-4"]);
  });
}

function past(over: Partial<Task> = {}): Task {
  return aTask({ groupId: OLD.id, status: "completed", endedAt: NOON, ...over });
}

function old(n: number, over: Partial<Agent> = {}): Agent {
  return numbered(n, {
    groupId: OLD.id,
    taskId: aTask().id,
    process: "ended",
    status: "completed",
    endedAt: NOON,
    ...over,
  });
}

function purge(store: Store): Promise<readonly string[]> {
  return store.transaction((unit) => unit.purgeHistory(LATER, 100));
}

async function insertOutOfView(
  store: Store,
  tasks: readonly Task[],
  agents: readonly Agent[],
): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertGroup(OLD);
    for (const task of tasks) await unit.insertTask(task);
    for (const agent of agents) await unit.insertAgent(agent, "prompt");
    await unit.shrinkView(0);
  });
}
