import { expect, test } from "vitest";
import {
  answered,
  atRest,
  decide,
  executionsOf,
  playTask,
  playTaskTools,
  readTask,
  request,
} from "./task-scenarios.ts";
import { aRecordedClient, aWorld, idIn, overHttp, overStdio, upstream } from "./world.ts";

test("a task is drafted, sent back, approved, blocked, unblocked and completed as recorded", async () => {
  const world = await aWorld("task-events", {}, { listens: true });
  await playTask(world);
  expect(world.recorder.differences({ exact: true })).toEqual([]);
});

test("a task fails, is retried, and is cancelled over REST as recorded", async () => {
  const world = await aWorld("task-retry", {}, { listens: true });
  const { recorder, ask } = world;
  await upstream(world);
  const text = request("first before step-1 fail 互換の失敗", "after step-1 listen 60000");
  const taskId = idIn(await ask("POST", "/api/tasks", { body: { text } }), "taskId");
  await decide(world, "prompt", { decision: "approve" });
  await decide(world, "process", { decision: "approve" });
  await world.waitFor(`/api/tasks/${taskId}`, ({ status }) => status === "failed");
  await atRest(world, taskId);
  const failed = await ask("GET", `/api/tasks/${taskId}`);
  await ask("GET", "/api/tasks?status=failed,blocked");
  await ask("POST", `/api/tasks/${taskId}/retry`, { body: { version: 1 } });
  await ask("POST", `/api/tasks/${taskId}/retry`, { body: { reason: "互換" } });
  await answered(world, taskId, "list_notes");
  const [earlier = ""] = executionsOf(failed);
  await ask("POST", `/api/executions/${earlier}/cancel`, { body: { reason: "互換" } });
  const newest = executionsOf(await world.look(`/api/tasks/${taskId}`)).at(-1) ?? "";
  await ask("POST", `/api/executions/${newest}/cancel`, { body: { reason: "互換" } });
  await atRest(world, taskId);
  await readTask(world, taskId);
  await ask("POST", `/api/executions/${newest}/retry`);
  expect(recorder.differences()).toEqual([]);
});

test("a task is asked for, decided and executed over MCP as recorded", async () => {
  const world = await aWorld("task-mcp", { tasks: { holdFor_ms: 100 } });
  const { recorder, url } = world;
  await upstream(world);
  const main = await aRecordedClient(recorder, "main", overStdio(world.place));
  await playTaskTools(world, main, (headers) => overHttp(url, headers));
  expect(recorder.differences()).toEqual([]);
});
