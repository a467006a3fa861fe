import { expect, test } from "vitest";
import { alertsBy, anAlertRule } from "../../../test/kit/alerts.ts";
import { ask } from "../../../test/kit/approvals.ts";
import { anAgent, aGroup, aTask } from "../../../test/kit/builders.ts";
import {
  aCore,
  aRole,
  ended,
  someProgress,
  started,
  type TestCore,
} from "../../../test/kit/core.ts";
import { aConcurrentGroup, anOrchestratedGroup, someAgents } from "../../../test/kit/groups.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import { aSchedule } from "../../../test/kit/schedules.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { TaskEvent } from "../../domain/tasks/task.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import { pauseInUnit } from "../schedules/pause-schedule.ts";
import { moveTask } from "../tasks/move-task.ts";
import { recordAlerts } from "./record-alerts.ts";

const ALL = alertsBy(anAlertRule());
const FAILED = { progress: someProgress({ end: null }), exitCode: 1, stderrTail: "no quota" };

/** A core whose alerts are on and whose history is behind it. */
async function alerting(alerts = ALL): Promise<TestCore> {
  const core = await aCore({ settings: { alerts } });
  await recordAlerts(core);
  return core;
}

async function recorded(core: TestCore) {
  await recordAlerts(core);
  const alerts = await core.store.listAlerts({ limit: 100 });
  return alerts.toReversed();
}

async function kindsOf(core: TestCore): Promise<readonly string[]> {
  return (await recorded(core)).map(({ kind }) => kind);
}

async function aTaskThat(core: TestCore, ...events: readonly TaskEvent[]): Promise<void> {
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    let task = aTask({ status: "in_progress", title: "四半期レポート" });
    await unit.insertTask(task);
    const failure = { stage: "execution", message: "The sheet\n is locked." } as const;
    for (const event of events) task = await moveTask(core, unit, task, event, { failure });
  });
}

async function end(core: TestCore, id: AgentId, over: Parameters<typeof ended>[1] = {}) {
  await core.observe(started(id), ended(id, over));
  await core.quiet();
}

test("without rules no alert is recorded, and no cursor is kept", async () => {
  const core = await aCore();
  await recordAlerts(core);
  await ask(core);

  expect(await recorded(core)).toEqual([]);
  expect(await core.store.getAlertCursor()).toBeUndefined();
});

test("new rules make no alerts of what happened before", async () => {
  const core = await aCore({ settings: { alerts: ALL } });
  await ask(core);

  expect(await recorded(core)).toEqual([]);
  await ask(core);
  expect(await kindsOf(core)).toEqual(["agent.waiting"]);
});

test("what happens while the rules are removed is never alerted to", async () => {
  const core = await alerting();
  const off = { ...core, settings: { ...core.settings, alerts: alertsBy() } };
  await recordAlerts(off);
  await ask(core);
  await recordAlerts(off);

  expect(await recorded(core)).toEqual([]);
});

test("an event is alerted to once, however often the events are read", async () => {
  const core = await alerting();
  await ask(core);

  await Promise.all([recordAlerts(core), recordAlerts(core)]);
  await core.store.transaction((unit) => unit.putAlertCursor(0));

  expect(await kindsOf(core)).toEqual(["agent.waiting"]);
});

test("an approval of a task waits for a person, with the task as the title", async () => {
  const core = await alerting();
  await aTaskThat(core);
  const approval = await ask(core, { taskId: "task-01", title: "Write the sheet?" });

  expect(await recorded(core)).toMatchObject([
    {
      kind: "task.waiting",
      target: "fake:ops",
      taskId: "task-01",
      approvalId: approval.id,
      title: "四半期レポート",
      detail: "Write the sheet?",
      requester: "local",
      recipients: ["local"],
      status: "pending",
      dueAt: core.clock.now(),
    },
  ]);
});

test.each<[TaskEvent[], string, string | null]>([
  [["execution_completed"], "task.completed", null],
  [["execution_failed"], "task.failed", "The sheet is locked."],
  [["cancelled"], "task.cancelled", null],
])("a task after %j is alerted to as %s", async (events, kind, detail) => {
  const core = await alerting();
  await aTaskThat(core, ...events);

  expect(await recorded(core)).toMatchObject([{ kind, detail, taskId: "task-01" }]);
});

test("steps of a task on its way are no alerts", async () => {
  const core = await alerting();
  await aTaskThat(core, "blocked", "unblocked", "blocked");

  expect(await recorded(core)).toEqual([]);
});

test("an agent that failed and the group that it ends are two alerts with the reason", async () => {
  const core = await alerting();
  const group = await aConcurrentGroup(core);
  const [one, other] = await someAgents(core, group, 2);
  if (!one || !other) throw new Error("two agents were requested");
  await core.quiet();

  await end(core, one, FAILED);
  expect(await recorded(core)).toMatchObject([
    { kind: "agent.failed", agentId: one, title: one, detail: "no quota" },
  ]);

  await end(core, other);
  expect(await kindsOf(core)).toEqual(["agent.failed", "agent.completed", "group.failed"]);
});

test("a group is over once per wave, also if its agents end before the events are read", async () => {
  const core = await alerting(alertsBy(anAlertRule({ on: ["group.completed", "group.failed"] })));
  const group = await aConcurrentGroup(core);
  const first = await someAgents(core, group, 3);
  await core.quiet();
  for (const id of first) await end(core, id, id === first[0] ? FAILED : {});
  await core.quiet();

  expect(await kindsOf(core)).toEqual(["group.failed"]);

  core.advance(1_000);
  const [next] = await someAgents(core, group, 1);
  await core.quiet();
  core.advance(1_000);
  if (next) await end(core, next);
  expect(await kindsOf(core)).toEqual(["group.failed", "group.completed"]);
});

test("a stopped agent is no alert, because a person stopped it on purpose", async () => {
  const core = await alerting();
  const group = await aConcurrentGroup(core);
  const [id] = await someAgents(core, group, 1);
  if (!id) throw new Error("an agent was requested");
  await core.quiet();
  await core.observe(started(id));
  await stopAgent(core, id, "cancelled");
  await core.observe(ended(id, FAILED));

  expect(await recorded(core)).toEqual([]);
});

test("agents of a task are the task's matter", async () => {
  const core = await alerting();
  await aTaskThat(core);
  await core.store.transaction(async (unit) => {
    const agent = anAgent({ taskId: "task-01", process: "alive", status: "running", attempt: 1 });
    await unit.insertAgent(agent, "やって");
  });
  await core.observe(ended(anAgent().id, FAILED));

  expect(await recorded(core)).toEqual([]);
});

test("groups of an orchestrator are the orchestrator's matter", async () => {
  const alerts = alertsBy(anAlertRule({ on: ["group.completed", "group.failed"] }));
  const roles = [aRole(), aRole({ id: "orchestrator" })];
  const core = await aCore({ settings: { alerts }, roles });
  await recordAlerts(core);
  const { group, identity, orchestratorId } = await anOrchestratedGroup(core);
  const child = await aConcurrentGroup(core, group.id, identity);
  const [id] = await someAgents(core, child, 1);
  if (!id) throw new Error("an agent was requested");
  await end(core, id, FAILED);

  expect(await recorded(core)).toEqual([]);
  await core.observe(ended(orchestratorId));
  await core.quiet();
  expect(await recorded(core)).toMatchObject([{ kind: "group.completed", groupId: group.id }]);
});

test("the admins are alerted for a requester who is no person", async () => {
  const people = { aoi: "operator", ben: "admin", chika: "admin" } as const;
  const core = await aCoreWithPeople(people, { settings: { alerts: ALL } });
  await recordAlerts(core);
  await ask(core, { requester: "agent:impl-code-1-0000" });
  await ask(core, { requester: "aoi" });

  expect(await recorded(core)).toMatchObject([
    { requester: null, recipients: ["ben", "chika"] },
    { requester: "aoi", recipients: ["aoi"] },
  ]);
});

test("a schedule that pauses itself is an alert for the admins; one that a person pauses is none", async () => {
  const core = await aCoreWithPeople(
    { aoi: "operator", boss: "admin" },
    { settings: { alerts: ALL } },
  );
  await recordAlerts(core);
  await core.store.transaction(async (unit) => {
    const [one, two] = [aSchedule({ id: "sch-1", requester: "gone" }), aSchedule({ id: "sch-2" })];
    await unit.insertSchedule(one);
    await unit.insertSchedule(two);
    await pauseInUnit(core, unit, one, "system", "requester_gone");
    await pauseInUnit(core, unit, two, "aoi", null);
  });

  expect(await recorded(core)).toMatchObject([
    { kind: "schedule.paused", title: aSchedule().name, recipients: ["boss"], requester: null },
  ]);
});
