import { expect, test } from "vitest";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../../test/kit/people.ts";
import { aRunningTask } from "../../../../test/kit/running-task.ts";

test("GET /api/home answers a viewer with the newest tasks and the first steps", async () => {
  const core = await aCoreWithPeople({ vera: "viewer" });
  const { id, requester } = await aRunningTask(core);
  const { url } = await anHttpDoor(core);

  const answer = await fetch(`${url}/api/home`, {
    headers: { authorization: `Bearer ${tokenOf("vera")}` },
  });

  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    recent: [{ taskId: id, requester, status: "in_progress", stepsDone: 0, stepsTotal: 3 }],
    firstSteps: [
      { id: "task", done: false },
      { id: "approve", done: false },
      { id: "block", done: false },
      { id: "client", done: false },
      { id: "cli", done: false },
      { id: "team", done: true },
    ],
    client: null,
    workingDirectory: core.settings.homeDirectory,
  });
});

test("GET /api/home needs a known person", async () => {
  const { url } = await anHttpDoor(await aCoreWithPeople({ vera: "viewer" }));

  expect((await fetch(`${url}/api/home`)).status).toBe(401);
});
