import { expect, test } from "vitest";
import { aCore } from "../../test/kit/core.ts";
import { aRunningTask } from "../../test/kit/running-task.ts";
import { aPlannedTask, decide, HR, upstreamWith } from "../../test/kit/task-flow.ts";
import { type Core, LOCAL_USER } from "./core.ts";
import { changeTaskStatus } from "./tasks/change-task-status.ts";
import { viewHome } from "./view-home.ts";

async function doneIn(core: Core): Promise<readonly string[]> {
  const { firstSteps } = await viewHome(core, LOCAL_USER);
  return firstSteps.filter(({ done }) => done).map(({ id }) => id);
}

test("viewHome ticks no first step of a new installation without an agent CLI", async () => {
  const core = await aCore({ runners: ["rehearsal"] });

  const home = await viewHome(core, LOCAL_USER);

  expect(home.recent).toEqual([]);
  expect(home.client).toBeNull();
  expect(home.firstSteps.map(({ id, done }) => [id, done])).toEqual([
    ["task", false],
    ["approve", false],
    ["block", false],
    ["client", false],
    ["cli", false],
    ["team", false],
  ]);
});

test("viewHome ticks the approval of the person who gave it, and not of another person", async () => {
  const core = await aCore({ runners: ["rehearsal"], upstream: upstreamWith(...HR) });
  await decide(core, await aPlannedTask(core));

  expect(await doneIn(core)).toContain("approve");
  const other = { kind: "person", person: { id: "vera", name: "Vera", role: "viewer" } } as const;
  const { firstSteps } = await viewHome(core, other);
  expect(firstSteps).toContainEqual({ id: "approve", done: false });
});

test("viewHome ticks the block only when the task is also unblocked", async () => {
  const core = await aCore({ runners: ["rehearsal"] });
  await aRunningTask(core);
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked", reason: "x" });
  expect(await doneIn(core)).not.toContain("block");
  await core.quiet();

  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "in_progress" });

  expect(await doneIn(core)).toContain("block");
});

test("viewHome names the MCP client that was seen, and ticks it", async () => {
  const core = await aCore({ runners: ["rehearsal"] });
  core.seenClients.note("cursor-vscode");

  expect((await viewHome(core, LOCAL_USER)).client).toBe("cursor-vscode");
  expect(await doneIn(core)).toEqual(["client"]);
});

test("viewHome ticks a CLI that is installed, and Slack", async () => {
  const core = await aCore({ settings: { hasSlack: true } });
  core.installed.add("cursor");

  expect(await doneIn(core)).toEqual(["cli", "team"]);
});

test("viewHome returns the newest tasks with the execution that shows how far they are", async () => {
  const core = await aCore({ runners: ["rehearsal"] });
  const { id } = await aRunningTask(core);

  const { recent } = await viewHome(core, LOCAL_USER);

  expect(recent).toMatchObject([{ task: { id }, execution: { attempt: 1 } }]);
});
