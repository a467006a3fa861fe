import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { ANALYSIS, answer, askFor, drafterOf, taskOf } from "../../../test/kit/task-flow.ts";
import { LOCAL_USER, type Identity } from "../core.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { createTask, type CreateTask } from "./create-task.ts";

const INPUT: CreateTask = { request: "9月分の残業時間を集計して", door: "terminal" };

function person(role: "viewer" | "operator"): Identity {
  return { kind: "person", cwd: "/", keys: {}, person: { id: "aoi", name: "葵", role } };
}

test("a task is stored with its group, its event and its audit row", async () => {
  const core = await aCore();

  const task = await createTask(core, person("operator"), {
    ...INPUT,
    request: ` ${INPUT.request}\n`,
  });

  expect(await core.store.getTask(task.id)).toMatchObject({
    request: INPUT.request,
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
    description: INPUT.request,
  });
  const [created] = await core.store.listTaskEvents(task.id, 0, 10);
  expect(created).toMatchObject({
    type: "task:created",
    groupId: task.groupId,
    data: { taskId: task.id, status: "analyzing", request: INPUT.request },
  });
  expect((await core.store.listAudit({ subject: task.id, limit: 10 })).entries).toMatchObject([
    {
      actor: "aoi",
      action: "task.created",
      data: { requestHash: core.tokens.hash(INPUT.request) },
    },
  ]);
});

test("without sign-in the requester of a client's task is the local person", async () => {
  const core = await aCore();

  expect((await createTask(core, main, INPUT)).requester).toBe("local");
});

test("a sample task works in a directory of its own, which is made", async () => {
  const core = await aCore();

  const task = await createTask(core, LOCAL_USER, { request: "x", door: "web", isSample: true });

  expect(task.workingDirectory).not.toBe(core.settings.homeDirectory);
  expect(await core.directories.exists(task.workingDirectory)).toBe(true);
});

test("a long request is stored unchanged; the group's description is its truncated first line", async () => {
  const core = await aCore();
  const request = `${"あ".repeat(300)}\n${"い".repeat(500)}`;

  const task = await createTask(core, LOCAL_USER, { ...INPUT, request });

  expect(task.request).toBe(request);
  expect((await core.store.getGroup(task.groupId))?.description).toBe(`${"あ".repeat(200)}…`);
});

const REFUSED: [string, string, Identity, Partial<CreateTask>][] = [
  ["an empty request", "INVALID_ARGUMENTS", LOCAL_USER, { request: " \n " }],
  ["a request that is too long", "INVALID_ARGUMENTS", LOCAL_USER, { request: "あ".repeat(20_001) }],
  [
    "a directory that does not exist",
    "WORKING_DIRECTORY_NOT_FOUND",
    LOCAL_USER,
    { workingDirectory: "/nowhere/at/all" },
  ],
  ["a request of a viewer", "NOT_ALLOWED", person("viewer"), {}],
  [
    "a request of an agent",
    "NOT_ALLOWED",
    { kind: "agent", agentId: "impl-code-1-0001", role: "impl-code" },
    {},
  ],
];

test.each(REFUSED)(
  "%s is refused with %s, and nothing is stored",
  async (_what, code, who, over) => {
    const core = await aCore();

    await expect(createTask(core, who, { ...INPUT, ...over })).rejects.toMatchObject({
      code,
      hint: expect.stringMatching(/\S/),
    });

    expect((await core.store.listTasks({ limit: 10 })).tasks).toEqual([]);
    expect(await core.store.lastEventSeq()).toBe(0);
  },
);

test("the agents of a task are started with the keys of the requester's client", async () => {
  const core = await aCore();
  const client: Identity = { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "k" } };

  const { id } = await createTask(core, client, INPUT);

  const analyst = await drafterOf(core, id);
  expect(analyst.clientKeys).toEqual(["CURSOR_API_KEY"]);
  expect(core.clientKeys.find(analyst.id, analyst.clientKeys)).toEqual({ CURSOR_API_KEY: "k" });
});

test("after a restart an agent waits for its keys until a client brings them", async () => {
  const core = await aCore();
  const client: Identity = { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "k" } };
  const { id } = await createTask(core, client, INPUT);
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

test("the group of a task that is not over cannot be deleted", async () => {
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
