import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { TaskQuery } from "../../../src/app/ports/task-store.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import type { Execution } from "../../../src/domain/tasks/execution.ts";
import { TASK_STATUSES, type Task } from "../../../src/domain/tasks/task.ts";
import { aGroup, anExecution, aTask, NOON } from "../../kit/builders.ts";
import { expectOneWinner, anEvent, append, insert, numbered, type Open, range } from "./kit.ts";

export function tasks(aStore: Open): void {
  test("a task comes back with every field", async () => {
    const store = await aStore();
    const full = fullTask();
    const bare = aTask({ id: "task-bare", groupId: "grp-bare" });

    await insertTasks(store, [full, bare]);

    expect(await store.getTask(full.id)).toEqual(full);
    expect(await store.getTask(bare.id)).toEqual(bare);
    expect(await store.getTask("no-such-task")).toBeUndefined();
    expect(await store.getTaskOfGroup("grp-bare")).toEqual(bare);
    expect(await store.getTaskOfGroup("grp-none")).toBeUndefined();
  });

  test("one of two concurrent changes of a task wins", async () => {
    const store = await aStore();
    await insertTasks(store, [aTask()]);
    const change = (over: Partial<Task>) =>
      store.transaction((unit) => unit.updateTask({ ...fullTask(), ...over }, aTask()));

    const both = ["first", "second"].map((title) => change({ id: aTask().id, title }));
    const winner = expectOneWinner(await Promise.allSettled(both));

    expect(winner).toEqual({ ...fullTask(), id: aTask().id, title: winner.title, version: 2 });
    expect(await store.getTask(aTask().id)).toEqual(winner);
    const missing = aTask({ id: "task-none" });
    await expect(store.transaction((unit) => unit.updateTask(missing, missing))).rejects.toThrow(
      expect.objectContaining({ code: "VERSION_CONFLICT" }),
    );
  });

  test.each([
    ["one after the other", (n: number) => NOON + n],
    ["in the same millisecond", () => NOON],
  ])("60 tasks made %s are paged newest first while more are made", async (_, createdAt) => {
    const store = await aStore();
    const made = (n: number) => task(n, { createdAt: createdAt(n) });
    await insertTasks(store, range(1, 60).map(made));

    const seen = await allPages(store, { limit: 7 }, async (page) => {
      await insertTasks(store, [made(60 + page)]);
    });

    expect(seen).toEqual(range(1, 60).map(made).toReversed());
  });

  test("tasks are filtered by status and text, alone and together, also across pages", async () => {
    const store = await aStore();
    const all = range(1, 40).map((n) =>
      task(n, {
        status: TASK_STATUSES[n % TASK_STATUSES.length] ?? "analyzing",
        request: n % 3 ? "other" : "残業を集計して",
      }),
    );
    await insertTasks(store, all);
    const statuses = ["blocked", "completed", "in_progress"] as const;
    const isAsked = (it: Task) => statuses.some((status) => status === it.status);
    const newest = all.toReversed();

    expect(await allPages(store, { limit: 3, statuses })).toEqual(newest.filter(isAsked));
    expect(await allPages(store, { limit: 3, text: "残業" })).toEqual(
      newest.filter(({ request }) => request.includes("残業")),
    );
    expect(await allPages(store, { limit: 3, text: "残業", statuses })).toEqual(
      newest.filter((it) => isAsked(it) && it.request.includes("残業")),
    );
    expect(await allPages(store, { limit: 3, statuses: [] })).toEqual([]);
  });

  test.each([
    ["the request", "REPORT for école", ["task-1"]],
    ["the request in other letters", "report FOR ÉCOLE", ["task-1"]],
    ["the title", "overtime", ["task-2"]],
    ["the id", "TASK-3", ["task-3"]],
    ["full width letters", "ｘｌ", ["task-2"]],
    ["a sign of patterns", "100%", ["task-3"]],
    ["another sign of patterns", "a_b", ["task-3"]],
    ["a quote", "' or '1' = '1", ["task-3"]],
    ["nothing that is there", "x%y", []],
    ["nothing at all", "", ["task-3", "task-2", "task-1"]],
  ])("a search finds %s", async (_, text, found) => {
    const store = await aStore();
    await insertTasks(store, [
      task(1, { request: "Report for École" }),
      task(2, { request: "再計算", title: "Overtime ＸＬ" }),
      task(3, { request: "100% a_b ' or '1' = '1 xy axb" }),
    ]);

    expect((await allPages(store, { limit: 2, text })).map(({ id }) => id)).toEqual(found);
  });

  test("a search finds the new title of a task and not the old one", async () => {
    const store = await aStore();
    await insertTasks(store, [aTask({ title: "before" })]);

    const titled = await store.transaction((unit) =>
      unit.updateTask(aTask({ title: "after" }), aTask()),
    );

    expect(await allPages(store, { limit: 5, text: "after" })).toEqual([titled]);
    expect(await allPages(store, { limit: 5, text: "before" })).toEqual([]);
  });

  test("a search through thousands of tasks continues with the cursor to the end", async () => {
    const store = await aStore();
    const last = task(0, { request: "needle" });
    const many = range(1, 5_005).map((n) => task(n, { createdAt: NOON + 1 + (n % 7) }));
    await insertTasks(store, [last, ...many]);

    expect(await allPages(store, { limit: 5, text: "needle" })).toEqual([last]);
    expect(await allPages(store, { limit: 5, text: "needle", statuses: ["failed"] })).toEqual([]);
    const { tasks: first } = await store.listTasks({ limit: 2, text: "残業" });
    expect(first).toHaveLength(2);
  });

  test("an invalid cursor is refused", async () => {
    const store = await aStore();

    const page = store.listTasks({ limit: 5, cursor: "x" });

    await expect(page).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  test("tasks are counted by status, also after a change", async () => {
    const store = await aStore();
    const none = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0]));
    expect(await store.countTasks()).toEqual(none);

    await insertTasks(store, [task(1), task(2), task(3, { status: "blocked" })]);
    expect(await store.countTasks()).toEqual({ ...none, analyzing: 2, blocked: 1 });

    await store.transaction((unit) => unit.updateTask(task(1, { status: "planning" }), task(1)));
    expect(await store.countTasks()).toEqual({ ...none, analyzing: 1, planning: 1, blocked: 1 });
  });

  test("unfinished tasks are those in progress and those whose execution is not over", async () => {
    const store = await aStore();
    const all = TASK_STATUSES.map((status, n) => task(n, { status, createdAt: NOON - n }));
    const stopping = task(20, { status: "cancelled", createdAt: NOON + 1 });
    const stopped = task(21, { status: "cancelled" });
    await insertTasks(store, [...all, stopping, stopped]);
    await insertExecutions(store, [
      anExecution({ id: "exe-1", taskId: stopping.id, status: "stopping" }),
      anExecution({ id: "exe-2", taskId: stopping.id, status: "cancelled", attempt: 2 }),
      anExecution({ id: "exe-3", taskId: stopped.id, status: "cancelled" }),
      anExecution({ id: "exe-4", taskId: task(6).id, status: "blocked" }),
    ]);

    const unfinished = await store.listUnfinishedTasks();

    expect(unfinished).toEqual([...all.slice(0, 7).toReversed(), stopping]);
  });

  test("the agents of a task are listed, all of them or the unsettled ones", async () => {
    const store = await aStore();
    const [mine, other] = [{ taskId: "task-1" } as const, { taskId: "task-2" } as const];
    const agents = [
      numbered(3, mine),
      numbered(1, { ...mine, process: "alive", executionId: "exe-1" }),
      numbered(2, { ...mine, process: "ended" }),
      numbered(4, other),
      numbered(5),
    ];
    await insert(store, agents);

    expect(await store.listTaskAgents("task-1")).toEqual(agents.slice(0, 3));
    expect(await store.listUnsettledTaskAgents("task-1")).toEqual(agents.slice(0, 2));
    expect(await store.listUnsettledTaskAgents("task-none")).toEqual([]);
    const [first] = agents;
    const ended: Agent = numbered(3, { ...mine, process: "ended" });
    if (first) await store.transaction((unit) => unit.updateAgent(ended, first));
    expect(await store.listUnsettledTaskAgents("task-1")).toEqual([agents[1]]);
  });

  test("events of a task are listed in order, after a sequence number, up to the limit", async () => {
    const store = await aStore();
    const mine = { taskId: "task-1" } as const;
    await append(store, [anEvent(mine), anEvent(), anEvent({ ...mine, summary: "b" })]);
    await append(store, [anEvent({ taskId: null }), anEvent(mine), anEvent({ taskId: "task-2" })]);
    const [first, , third, fourth, fifth] = await store.listEvents(0, 10);

    expect(await store.listTaskEvents("task-1", 0, 10)).toEqual([first, third, fifth]);
    expect(await store.listTaskEvents("task-1", first?.seq ?? 0, 1)).toEqual([third]);
    expect(third).toMatchObject({ data: { summary: "b" }, taskId: "task-1" });
    expect(fourth?.taskId ?? null).toBeNull();
  });

  test("a task and its rows of a transaction that fails are not stored", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.insertTask(aTask());
      await unit.insertExecution(anExecution());
      throw new Error("no");
    });

    await expect(attempt).rejects.toThrow("no");
    expect(await store.getTask(aTask().id)).toBeUndefined();
    expect(await store.getExecution(anExecution().id)).toBeUndefined();
    expect(await store.countTasks()).toMatchObject({ analyzing: 0 });
  });
}

/** A higher number means a newer task. */
function task(n: number, over: Partial<Task> = {}): Task {
  return aTask({ id: `task-${n}`, groupId: `grp-${n}`, createdAt: NOON + n, ...over });
}

function fullTask(): Task {
  return aTask({
    id: "task-full",
    request: "9月分の残業 👩‍👩‍👧‍👦 '; --\n二行目",
    requester: "agent:a-b-c",
    door: "terminal",
    scheduleId: "sch-01",
    status: "failed",
    title: "残業",
    description: "説明",
    priority: "high",
    isPriorityGiven: true,
    type: "集計",
    workingDirectory: "/仕事",
    groupId: aGroup().id,
    regenerations: 3,
    draftAgentId: "planner-1-aaaa",
    draftTries: 2,
    promptId: "prm-2",
    processId: "prc-3",
    executionId: "exe-4",
    failure: { stage: "execution", message: "止まった" },
    statusBy: "suzuki",
    statusReason: "理由",
    updatedAt: NOON + 1,
    endedAt: NOON + 2,
  });
}

async function insertTasks(store: Store, list: readonly Task[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const each of list) await unit.insertTask(each);
  });
}

async function insertExecutions(store: Store, list: readonly Execution[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const each of list) await unit.insertExecution(each);
  });
}

async function allPages(
  store: Store,
  query: TaskQuery,
  between: (page: number) => Promise<void> = async () => {},
): Promise<readonly Task[]> {
  const seen: Task[] = [];
  let cursor: string | null = null;
  for (let page = 1; page === 1 || cursor !== null; page += 1) {
    const { tasks: some, nextCursor } = await store.listTasks({
      ...query,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...some);
    cursor = nextCursor;
    await between(page);
  }
  return seen;
}
