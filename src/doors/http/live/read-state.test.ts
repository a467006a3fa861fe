import { expect, test } from "vitest";
import { ask } from "../../../../test/kit/approvals.ts";
import { aGroup, aTask, NOON } from "../../../../test/kit/builders.ts";
import { aCore, type TestCore } from "../../../../test/kit/core.ts";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import { aDashboard } from "../../../../test/kit/live-client.ts";
import { recordRunnerProblem } from "../../../app/health/runner-problems.ts";
import { approvalShape } from "../../../contract/shapes/approvals.ts";

/** 10 MB in UTF-8. */
const LONG = "文".repeat(3_500_000);
const SMALL = 64 * 1024;

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("an approval of 10 MB makes a small snapshot and small events, and REST has all of it", async () => {
  const core = await aCore();
  const shown = { tool: "write", args: { text: LONG } };
  const { id, shownHash } = await ask(core, { title: "書きます", shown });
  const door = await anHttpDoor(core);
  const dashboard = await aDashboard(door.url);

  const snapshot = await dashboard.frame("snapshot");
  await ask(core, { title: LONG, shown });
  const events = await dashboard.frame("events");
  const read = async (path: string) =>
    approvalShape.parse(await (await fetch(`${door.url}/api/approvals/${path}`)).json());

  expect(bytes(snapshot)).toBeLessThan(SMALL);
  expect(bytes(events)).toBeLessThan(SMALL);
  const [seen] = snapshot.state.approvals;
  expect(seen).toMatchObject({ approvalId: id, title: "書きます", shownHash, clipped: true });
  expect(await read(`${id}?clip=true`)).toEqual(seen);
  const whole = await read(id);
  expect(whole.clipped).toBeUndefined();
  // Compared as a boolean, because a failure would print 10 MB.
  expect(JSON.stringify(whole.shown) === JSON.stringify(shown)).toBe(true);
});

test("an ordinary approval is whole in the snapshot", async () => {
  const core = await aCore();
  await ask(core);
  const door = await anHttpDoor(core);

  const { state } = await (await aDashboard(door.url)).frame("snapshot");

  expect(state.approvals[0]?.shown).toEqual({ tool: "write_rows", args: { rows: 3 } });
  expect(state.approvals[0]?.clipped).toBeUndefined();
});

test("long texts of tasks are truncated in the snapshot as in events", async () => {
  const core = await aCore();
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertTask(aTask({ request: LONG, description: LONG, title: "短い" }));
  });
  const door = await anHttpDoor(core);

  const snapshot = await (await aDashboard(door.url)).frame("snapshot");

  expect(bytes(snapshot)).toBeLessThan(SMALL);
  expect(snapshot.state.tasks[0]).toMatchObject({
    title: "短い",
    request: `${"文".repeat(2_000)}…`,
    description: `${"文".repeat(2_000)}…`,
  });
});

test("the approvals of tasks are in the snapshot, however many questions agents have asked before", async () => {
  const core = await aCore();
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertTask(aTask());
  });
  for (let n = 0; n < 260; n++) {
    await ask(core, { kind: "question", agentId: "impl-code-1794733200-0001" });
  }
  const [other, late] = [
    await ask(core, { kind: "question", agentId: "impl-code-1794733200-0002" }),
    await ask(core, { kind: "prompt", taskId: "task-01" }),
  ];
  const door = await anHttpDoor(core);
  const dashboard = await aDashboard(door.url);

  const { state } = await dashboard.frame("snapshot");

  expect(state.approvals).toHaveLength(200);
  const ids = state.approvals.map(({ approvalId }) => approvalId);
  expect(ids).toContain(late.id);
  expect(ids).toContain(other.id);
  expect(state.pendingApprovals).toBe(262);
  await ask(core);
  const { ev } = await dashboard.frame("events");
  expect(ev).toMatchObject([{ type: "approval:requested", data: { pending: 263 } }]);
});

/** The snapshot and the answer of the health check, which both name the runners with a problem. */
async function answersOf(core: TestCore): Promise<readonly unknown[]> {
  const { url } = await anHttpDoor(core);
  const { state } = await (await aDashboard(url)).frame("snapshot");
  const health: unknown = await (await fetch(`${url}/api/health-check`)).json();
  return [state, health];
}

test("the snapshot and the health check have no `problems` while every runner works", async () => {
  for (const answer of await answersOf(await aCore())) {
    expect(answer).not.toHaveProperty("problems");
  }
});

test("the snapshot and the health check name a runner that is at a limit", async () => {
  const core = await aCore();
  const problem = { runner: "claude", kind: "quota", reason: "Used up." } as const;
  await core.store.transaction((unit) =>
    recordRunnerProblem(core, unit, { ...problem, resetsAt: NOON + 1 }),
  );

  for (const answer of await answersOf(core)) {
    expect(answer).toMatchObject({ problems: [{ ...problem, resetKnown: true }] });
  }
});
