import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { ANALYSIS, answer, askFor, drafterOf, taskOf } from "../../../test/kit/task-flow.ts";
import { LOCAL_USER, type Identity } from "../core.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { createTask, type CreateTask } from "./create-task.ts";

const WISH: CreateTask = { request: "9月分の残業時間を集計して", door: "terminal" };

function person(role: "viewer" | "operator"): Identity {
  return { kind: "person", cwd: "/", keys: {}, person: { id: "aoi", name: "葵", role } };
}

test("a task is written down with its group, its event and its audit row", async () => {
  const core = await aCore();

  const task = await createTask(core, person("operator"), {
    ...WISH,
    request: ` ${WISH.request}\n`,
  });

  expect(await core.store.getTask(task.id)).toMatchObject({
    request: WISH.request,
    requester: "aoi",
    door: "terminal",
    status: "analyzing",
    title: null,
    priority: "medium",
    isPriorityGiven: false,
    workingDirectory: "/",
    version: 1,
  });
  expect(await core.store.getGroup(task.groupId)).toMatchObject({
    mode: "concurrent",
    status: "active",
    description: WISH.request,
  });
  const [created] = await core.store.listTaskEvents(task.id, 0, 10);
  expect(created).toMatchObject({
    type: "task:created",
    groupId: task.groupId,
    data: { taskId: task.id, status: "analyzing", request: WISH.request },
  });
  expect((await core.store.listAudit({ subject: task.id, limit: 10 })).entries).toMatchObject([
    { actor: "aoi", action: "task.created", data: { requestHash: core.tokens.hash(WISH.request) } },
  ]);
});

test("without sign-in a client that shows nobody asks in the name of the one person there is", async () => {
  const core = await aCore();

  expect((await createTask(core, main, WISH)).requester).toBe("local");
});

test("a long request is the task's as it is; its group is called by the first line only", async () => {
  const core = await aCore();
  const request = `${"あ".repeat(300)}\n${"い".repeat(500)}`;

  const task = await createTask(core, LOCAL_USER, { ...WISH, request });

  expect(task.request).toBe(request);
  expect((await core.store.getGroup(task.groupId))?.description).toBe(`${"あ".repeat(200)}…`);
});

const REFUSED: [string, string, Identity, Partial<CreateTask>][] = [
  ["nothing", "INVALID_ARGUMENTS", LOCAL_USER, { request: " \n " }],
  ["too much", "INVALID_ARGUMENTS", LOCAL_USER, { request: "あ".repeat(20_001) }],
  [
    "a directory that is not there",
    "WORKING_DIRECTORY_NOT_FOUND",
    LOCAL_USER,
    { workingDirectory: "/nowhere/at/all" },
  ],
  ["a viewer", "NOT_ALLOWED", person("viewer"), {}],
  [
    "an agent",
    "NOT_ALLOWED",
    { kind: "agent", agentId: "impl-code-1-0001", role: "impl-code" },
    {},
  ],
];

test.each(REFUSED)(
  "%s is refused with %s, and nothing is stored",
  async (_what, code, who, over) => {
    const core = await aCore();

    await expect(createTask(core, who, { ...WISH, ...over })).rejects.toMatchObject({
      code,
      hint: expect.stringMatching(/\S/),
    });

    expect((await core.store.listTasks({ limit: 10 })).tasks).toEqual([]);
    expect(await core.store.lastEventSeq()).toBe(0);
  },
);

test("the agents of a task are started with the keys its requester brought", async () => {
  const core = await aCore();
  const client: Identity = { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "k" } };

  const { id } = await createTask(core, client, WISH);

  const analyst = await drafterOf(core, id);
  expect(analyst.clientKeys).toEqual(["CURSOR_API_KEY"]);
  expect(core.clientKeys.find(analyst.id, analyst.clientKeys)).toEqual({ CURSOR_API_KEY: "k" });
});

test("keys that went with a restart are waited for, and the next client brings them", async () => {
  const core = await aCore();
  const client: Identity = { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "k" } };
  const { id } = await createTask(core, client, WISH);
  await drafterOf(core, id);
  core.clientKeys.forget(id);

  await answer(core, id, ANALYSIS);

  const planner = await drafterOf(core, id);
  expect(planner).toMatchObject({ clientKeys: ["CURSOR_API_KEY"], process: "waiting" });
  core.clientKeys.offer({ CURSOR_API_KEY: "k" });
  core.dispatchSoon();
  await core.quiet();
  expect(core.launches.map(({ agentId }) => agentId)).toContain(planner.id);
});

test("the group of a task cannot be deleted while something may still happen to the task", async () => {
  const core = await aCore();
  core.installed.clear();
  const { id, groupId } = await askFor(core);
  await core.quiet();
  const failed = await taskOf(core, id);
  expect(failed.status).toBe("failed");

  await expect(deleteGroup(core, main, { groupId })).rejects.toMatchObject({
    code: "TRANSITION_NOT_ALLOWED",
    message: expect.stringContaining(id),
    hint: expect.stringContaining("cancel the task"),
  });

  await core.store.transaction((unit) =>
    unit.updateTask({ ...failed, status: "completed" }, failed),
  );
  expect(await deleteGroup(core, main, { groupId })).toMatchObject({ status: "deleted" });
});
