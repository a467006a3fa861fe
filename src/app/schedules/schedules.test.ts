import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aCore, dyingAtCommit, type TestCore } from "../../../test/kit/core.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import { reasonIn } from "../../contract/reason-texts.ts";
import type { Schedule, ScheduleRun } from "../../domain/schedules/schedule.ts";
import { LOCAL_USER, type Core, type Identity } from "../core.ts";
import { changeTaskStatus } from "../tasks/change-task-status.ts";
import { changeSchedule } from "./change-schedule.ts";
import { createSchedule, type CreateSchedule } from "./create-schedule.ts";
import { pauseSchedule, resumeSchedule } from "./pause-schedule.ts";
import { removeSchedule } from "./remove-schedule.ts";
import { runSchedule } from "./run-schedule.ts";
import { skipPastTimes } from "./skip-past-times.ts";
import { startDueSchedules } from "./start-due-schedules.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

const HOURLY: CreateSchedule = {
  request: "残業時間を集計して",
  cron: "0 * * * *",
  timeZone: "Asia/Tokyo",
  door: "terminal",
  missed: "run-once",
  overlap: "allow",
};

function person(id: string, role: "viewer" | "operator" = "operator"): Identity {
  return { kind: "person", person: { id, name: id, role } };
}

/** A core whose clock is at a full hour, and an hourly schedule. */
async function anHourly(over: Partial<CreateSchedule> = {}) {
  const core = await aCore({ now: Date.parse("2026-11-17T00:00:00Z") });
  return { core, schedule: await createSchedule(core, LOCAL_USER, { ...HOURLY, ...over }) };
}

async function tasksOf(core: Core) {
  return (await core.store.listTasks({ limit: 100 })).tasks;
}

/** Oldest first. */
async function runsOf(core: Core, { id }: Schedule): Promise<readonly ScheduleRun[]> {
  return (await core.store.listScheduleRuns({ scheduleId: id, limit: 100 })).runs.toReversed();
}

async function statuses(core: Core, schedule: Schedule): Promise<string[]> {
  return (await runsOf(core, schedule)).map(({ status }) => status);
}

async function read(core: Core, { id }: Schedule): Promise<Schedule> {
  const found = await core.store.getSchedule(id);
  if (!found) throw new Error("no schedule");
  return found;
}

async function cancelTasks(core: TestCore): Promise<void> {
  for (const { id, status } of await tasksOf(core)) {
    if (status === "cancelled") continue;
    await changeTaskStatus(core, LOCAL_USER, { taskId: id, status: "cancelled" });
  }
}

describe("a planned time", () => {
  test("starts one ordinary task that is linked with the schedule", async () => {
    const { core, schedule } = await anHourly({ priority: "high" });
    await startDueSchedules(core);
    expect(await tasksOf(core)).toEqual([]);

    core.advance(HOUR);
    await startDueSchedules(core);
    await startDueSchedules(core);

    const [task, ...others] = await tasksOf(core);
    expect(others).toEqual([]);
    expect(task).toMatchObject({
      request: HOURLY.request,
      requester: "local",
      scheduleId: schedule.id,
      status: "analyzing",
      priority: "high",
      isPriorityGiven: true,
    });
    expect(await runsOf(core, schedule)).toMatchObject([
      { status: "started", plannedAt: schedule.nextAt, taskId: task?.id, isManual: false },
    ]);
    expect((await read(core, schedule)).nextAt).toBe(core.clock.now() + HOUR);
  });

  test("starts its task once wherever the daemon dies", async () => {
    const { core, schedule } = await anHourly();
    core.advance(HOUR);
    const commits: Core = {
      ...core,
      store: { ...core.store, transaction: () => Promise.reject(new Error("killed before")) },
    };
    expect(await startDueSchedules(commits)).toBe(1);
    expect(await tasksOf(core)).toEqual([]);

    const dying = dyingAtCommit(core);
    await startDueSchedules(dying);

    const restarted = await aCore({ store: dying.store, now: core.clock.now() + MINUTE });
    await startDueSchedules(restarted);
    expect(await tasksOf(restarted)).toHaveLength(1);
    expect(await statuses(restarted, schedule)).toEqual(["started"]);
  });

  test("starts its task once if two passes run at the same time", async () => {
    const { core, schedule } = await anHourly();
    core.advance(HOUR);

    await Promise.all([startDueSchedules(core), startDueSchedules(core)]);
    await startDueSchedules(core);

    expect(await tasksOf(core)).toHaveLength(1);
    expect(await statuses(core, schedule)).toEqual(["started"]);
  });

  test("is recorded as failed if its directory is gone, and the next one is tried", async () => {
    const { core, schedule } = await anHourly();
    const gone: Core = { ...core, directories: { ...core.directories, exists: async () => false } };
    core.advance(HOUR);
    await startDueSchedules(gone);
    core.advance(HOUR);
    await startDueSchedules(core);

    expect(await runsOf(core, schedule)).toMatchObject([
      { status: "failed", reason: expect.stringContaining("does not exist"), taskId: null },
      { status: "started" },
    ]);
  });

  test("stays due if the store fails, and other schedules go on", async () => {
    const { core, schedule } = await anHourly();
    await createSchedule(core, LOCAL_USER, HOURLY);
    core.advance(HOUR);
    const transaction: Core["store"]["transaction"] = (work) =>
      core.store.transaction((unit) =>
        work({
          ...unit,
          insertScheduleRun: (run) =>
            run.scheduleId === schedule.id
              ? Promise.reject(new Error("broken"))
              : unit.insertScheduleRun(run),
        }),
      );

    expect(await startDueSchedules({ ...core, store: { ...core.store, transaction } })).toBe(1);

    expect(await tasksOf(core)).toHaveLength(1);
    await startDueSchedules(core);
    expect(await tasksOf(core)).toHaveLength(2);
  });
});

describe("missed times", () => {
  test("start one task with run-once, and are recorded", async () => {
    const { core, schedule } = await anHourly({ missed: "run-once" });
    core.advance(5 * HOUR + 10 * MINUTE);

    await startDueSchedules(core);

    expect(await runsOf(core, schedule)).toMatchObject([
      { status: "skipped_missed", count: 4, firstPlannedAt: schedule.nextAt },
      { status: "started", plannedAt: core.clock.now() - 10 * MINUTE },
    ]);
    expect(await tasksOf(core)).toHaveLength(1);
  });

  test("start no task with skip", async () => {
    const { core, schedule } = await anHourly({ missed: "skip" });
    core.advance(5 * HOUR + 10 * MINUTE);

    await startDueSchedules(core);

    expect(await runsOf(core, schedule)).toMatchObject([{ status: "skipped_missed", count: 5 }]);
    expect(await tasksOf(core)).toEqual([]);
    expect((await read(core, schedule)).nextAt).toBe(core.clock.now() + 50 * MINUTE);
  });

  test("start a task each with run-all, at most ten", async () => {
    const { core, schedule } = await anHourly({ missed: "run-all" });
    core.advance(12 * HOUR + 10 * MINUTE);

    await startDueSchedules(core);

    const [skipped, ...started] = await runsOf(core, schedule);
    expect(skipped).toMatchObject({ status: "skipped_missed", count: 2 });
    expect(started.map(({ status }) => status)).toEqual(Array(10).fill("started"));
    expect(await tasksOf(core)).toHaveLength(10);
  });

  test("are caught up once if the daemon dies between two of them", async () => {
    const { core, schedule } = await anHourly({ missed: "run-all" });
    core.advance(3 * HOUR);
    let commits = 0;
    const transaction: Core["store"]["transaction"] = (work) =>
      ++commits > 2 ? Promise.reject(new Error("killed")) : core.store.transaction(work);
    await startDueSchedules({ ...core, store: { ...core.store, transaction } });
    expect(await tasksOf(core)).toHaveLength(2);

    await startDueSchedules(core);

    expect(await statuses(core, schedule)).toEqual(["started", "started", "started"]);
    expect(await tasksOf(core)).toHaveLength(3);
  });
});

describe("a planned time while an earlier task is not over", () => {
  test("is skipped with skip, and starts a task again afterwards", async () => {
    const { core, schedule } = await anHourly({ overlap: "skip" });
    core.advance(HOUR);
    await startDueSchedules(core);
    core.advance(HOUR);
    await startDueSchedules(core);
    await cancelTasks(core);
    core.advance(HOUR);
    await startDueSchedules(core);

    expect(await statuses(core, schedule)).toEqual(["started", "skipped_overlap", "started"]);
  });

  test("waits with queue, a second one is skipped, and the waiting one starts afterwards", async () => {
    const { core, schedule } = await anHourly({ overlap: "queue" });
    for (let n = 0; n < 3; n++) {
      core.advance(HOUR);
      await startDueSchedules(core);
    }
    expect(await statuses(core, schedule)).toEqual(["started", "queued", "skipped_overlap"]);

    await cancelTasks(core);
    const dying = dyingAtCommit(core);
    await startDueSchedules(dying);
    await startDueSchedules(dying);

    expect(await statuses(core, schedule)).toEqual(["started", "started", "skipped_overlap"]);
    expect(await tasksOf(core)).toHaveLength(2);
    expect((await read(core, schedule)).queuedAt).toBeNull();
  });

  test("starts a task with allow, up to a limit", async () => {
    const { core, schedule } = await anHourly({ overlap: "allow" });
    for (let n = 0; n < 22; n++) {
      core.advance(HOUR);
      await startDueSchedules(core);
    }

    expect((await statuses(core, schedule)).slice(-3)).toEqual([
      "started",
      "skipped_overlap",
      "skipped_overlap",
    ]);
    expect(await tasksOf(core)).toHaveLength(20);
  });
});

describe("a clock that is set", () => {
  test("back starts no planned time again", async () => {
    const { core, schedule } = await anHourly();
    core.advance(HOUR);
    await startDueSchedules(core);
    core.advance(-30 * MINUTE);
    await startDueSchedules(core);
    core.advance(30 * MINUTE);
    await startDueSchedules(core);
    expect(await statuses(core, schedule)).toEqual(["started"]);

    core.advance(HOUR);
    await startDueSchedules(core);
    expect(await statuses(core, schedule)).toEqual(["started", "started"]);
  });

  test("a year ahead and back again does not silence the schedule for a year", async () => {
    const { core, schedule } = await anHourly();
    core.advance(365 * 24 * HOUR);
    await startDueSchedules(core);
    core.advance(-365 * 24 * HOUR);
    await startDueSchedules(core);
    expect((await read(core, schedule)).nextAt).toBe(core.clock.now() + HOUR);

    core.advance(HOUR);
    await startDueSchedules(core);

    expect((await statuses(core, schedule)).at(-1)).toBe("started");
    expect(await tasksOf(core)).toHaveLength(2);
  });
});

describe("the requester of a schedule", () => {
  const NINE = { now: Date.parse("2026-11-17T00:00:00Z") };

  test("is the person who created it", async () => {
    const core = await aCoreWithPeople({ aoi: "operator" }, NINE);
    await createSchedule(core, person("aoi"), HOURLY);
    core.advance(HOUR);
    await startDueSchedules(core);
    expect(await tasksOf(core)).toMatchObject([{ requester: "aoi" }]);
  });

  test.each([
    ["was removed", { ben: "operator" }, "requester_gone"],
    ["is no operator any more", { aoi: "viewer", ben: "operator" }, "requester_not_operator"],
  ] as const)("pauses it if the person %s, until another one takes it over", async (...row) => {
    const [, people, reason] = row;
    const core = await aCoreWithPeople({ aoi: "operator" }, NINE);
    const schedule = await createSchedule(core, person("aoi"), HOURLY);
    core.setPeople(people);
    core.advance(HOUR);
    await startDueSchedules(core);

    expect(await tasksOf(core)).toEqual([]);
    expect(await read(core, schedule)).toMatchObject({
      status: "paused",
      pausedBy: "system",
      pausedReason: reason,
      nextAt: null,
    });

    await resumeSchedule(core, person("ben"), { scheduleId: schedule.id });
    core.advance(HOUR);
    await startDueSchedules(core);
    expect(await tasksOf(core)).toMatchObject([{ requester: "ben" }]);
  });

  test("is the person who changed it last, so that no request is in the name of another", async () => {
    const core = await aCoreWithPeople({ aoi: "operator", ben: "operator" }, NINE);
    const { id } = await createSchedule(core, person("aoi"), HOURLY);
    const changed = await changeSchedule(core, person("ben"), { scheduleId: id, request: "別" });
    expect(changed.requester).toBe("ben");
  });
});

describe("people", () => {
  test("pause and resume a schedule; the times between are not missed", async () => {
    const { core, schedule } = await anHourly({ missed: "run-all" });
    const scheduleId = schedule.id;
    await pauseSchedule(core, LOCAL_USER, { scheduleId });
    core.advance(5 * HOUR);
    await startDueSchedules(core);
    expect(await core.store.nextScheduleDue()).toBeUndefined();
    await resumeSchedule(core, LOCAL_USER, { scheduleId });
    await startDueSchedules(core);

    expect(await runsOf(core, schedule)).toEqual([]);
    await expect(resumeSchedule(core, LOCAL_USER, { scheduleId })).rejects.toMatchObject({
      code: "TRANSITION_NOT_ALLOWED",
    });
  });

  test("a pause drops the queued time", async () => {
    const { core, schedule } = await anHourly({ overlap: "queue" });
    core.advance(HOUR);
    await startDueSchedules(core);
    core.advance(HOUR);
    await startDueSchedules(core);
    await pauseSchedule(core, LOCAL_USER, { scheduleId: schedule.id });
    expect(await statuses(core, schedule)).toEqual(["started", "skipped_overlap"]);
  });

  test("run a schedule now, also a paused one; the planned times stay", async () => {
    const { core, schedule } = await anHourly({ overlap: "skip" });
    const task = await runSchedule(core, LOCAL_USER, schedule.id);
    expect(task.scheduleId).toBe(schedule.id);
    expect(await runsOf(core, schedule)).toMatchObject([{ status: "started", isManual: true }]);
    expect((await read(core, schedule)).nextAt).toBe(schedule.nextAt);
    await pauseSchedule(core, LOCAL_USER, { scheduleId: schedule.id });
    await runSchedule(core, LOCAL_USER, schedule.id);
    expect(await tasksOf(core)).toHaveLength(2);
  });

  test("change a schedule; of two concurrent changes the second is refused", async () => {
    const { core, schedule } = await anHourly();
    const seen = { scheduleId: schedule.id, version: 1 };
    const changed = await changeSchedule(core, LOCAL_USER, { ...seen, cron: "30 * * * *" });
    expect(changed).toMatchObject({ cron: "30 * * * *", version: 2 });
    expect(changed.nextAt).toBe(core.clock.now() + 30 * MINUTE);
    await expect(changeSchedule(core, LOCAL_USER, { ...seen, name: "x" })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
  });

  test("remove a schedule; its tasks stay and the audit has everything", async () => {
    const { core, schedule } = await anHourly();
    await runSchedule(core, LOCAL_USER, schedule.id);
    await removeSchedule(core, LOCAL_USER, { scheduleId: schedule.id });
    core.advance(5 * HOUR);
    await startDueSchedules(core);
    expect(await tasksOf(core)).toHaveLength(1);
    const { entries } = await core.store.listAudit({ subject: schedule.id, limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(["schedule.removed", "schedule.created"]);
    await expect(runSchedule(core, LOCAL_USER, schedule.id)).rejects.toMatchObject({
      code: "SCHEDULE_NOT_FOUND",
    });
  });

  test.each<[string, string, Identity, Partial<CreateSchedule>]>([
    ["an empty request", "INVALID_ARGUMENTS", LOCAL_USER, { request: " " }],
    ["10 MB of text", "INVALID_ARGUMENTS", LOCAL_USER, { request: "あ".repeat(10_000_000) }],
    ["a wrong cron expression", "INVALID_ARGUMENTS", LOCAL_USER, { cron: "0 25 * * *" }],
    ["an unknown time zone", "INVALID_ARGUMENTS", LOCAL_USER, { timeZone: "Asia/Tokio" }],
    ["a long name", "INVALID_ARGUMENTS", LOCAL_USER, { name: "x".repeat(101) }],
    [
      "no such directory",
      "WORKING_DIRECTORY_NOT_FOUND",
      LOCAL_USER,
      { workingDirectory: "/nowhere/x" },
    ],
    ["a viewer", "NOT_ALLOWED", person("aoi", "viewer"), {}],
    ["an agent", "NOT_ALLOWED", { kind: "agent", agentId: "a-1-0001", role: "a" }, {}],
  ])("cannot create a schedule with %s", async (_what, code, who, over) => {
    const core = await aCore();
    await expect(createSchedule(core, who, { ...HOURLY, ...over })).rejects.toMatchObject({ code });
    expect(await core.store.listSchedules()).toEqual([]);
  });

  test("cannot create more schedules than the maximum", async () => {
    const core = await aCore();
    for (let n = 0; n < 200; n++) await createSchedule(core, LOCAL_USER, HOURLY);
    await expect(createSchedule(core, LOCAL_USER, HOURLY)).rejects.toMatchObject({
      code: "TOO_MANY_OPEN",
    });
  });
});

describe("after a restore", () => {
  test.each(["run-once", "run-all", "skip"] as const)(
    "the planned times since the backup start no task (%s), and later ones do",
    async (missed) => {
      const { core, schedule } = await anHourly({ missed });
      core.advance(3 * HOUR);

      await skipPastTimes(core);
      await skipPastTimes(core);
      await startDueSchedules(core);

      expect(await tasksOf(core)).toEqual([]);
      expect(await runsOf(core, schedule)).toMatchObject([{ status: "skipped_missed", count: 3 }]);

      core.advance(HOUR);
      await startDueSchedules(core);
      expect(await tasksOf(core)).toHaveLength(1);
    },
  );

  test("a planned time that was queued in the backup starts no task", async () => {
    const { core, schedule } = await anHourly({ overlap: "queue" });
    core.advance(HOUR);
    await startDueSchedules(core);
    core.advance(HOUR);
    await startDueSchedules(core);
    expect(await statuses(core, schedule)).toEqual(["started", "queued"]);

    await skipPastTimes(core);
    await cancelTasks(core);
    await startDueSchedules(core);

    expect(await statuses(core, schedule)).toEqual(["started", "skipped_overlap"]);
  });
});

function writeTemplate(core: Core, text: string): void {
  mkdirSync(core.templates.folder, { recursive: true });
  writeFileSync(join(core.templates.folder, "notes.yaml"), text);
}

describe("a schedule with a template", () => {
  const NOTES = `id: notes
kind: task
name: { ja: メモ, en: Notes }
description: D
values: [{ name: what, label: What }, { name: tone, label: Tone, default: short }]
request: "Write {{tone}} notes about {{what}}"
priority: high
`;
  const template = { id: "notes", values: { what: "tests" }, locale: "en" } as const;

  async function aTemplateSchedule(over: Partial<CreateSchedule> = {}) {
    const core = await aCore({ now: Date.parse("2026-11-17T00:00:00Z") });
    writeTemplate(core, NOTES);
    const { request: _, ...hourly } = HOURLY;
    return {
      core,
      schedule: await createSchedule(core, LOCAL_USER, { ...hourly, template, ...over }),
    };
  }

  test("is named after it and requests its text with the values and its priority", async () => {
    const { core, schedule } = await aTemplateSchedule();
    expect(schedule).toMatchObject({
      name: "Notes",
      request: "Write short notes about tests",
      template,
    });
    core.advance(HOUR);
    await startDueSchedules(core);
    await startDueSchedules(core);

    expect(await tasksOf(core)).toMatchObject([
      { request: "Write short notes about tests", priority: "high", scheduleId: schedule.id },
    ]);
  });

  test("reads the file again at each planned time", async () => {
    const { core, schedule } = await aTemplateSchedule();
    writeTemplate(core, NOTES.replace("Write {{tone}}", "Draw {{tone}}"));
    core.advance(HOUR);
    await startDueSchedules(core);

    expect(await tasksOf(core)).toMatchObject([{ request: "Draw short notes about tests" }]);
    expect(await read(core, schedule)).toMatchObject({ request: "Draw short notes about tests" });
  });

  test("records that the template is gone or does not fit any more, and tries the next time", async () => {
    const { core, schedule } = await aTemplateSchedule();
    rmSync(join(core.templates.folder, "notes.yaml"));
    core.advance(HOUR);
    await startDueSchedules(core);
    await expect(runSchedule(core, LOCAL_USER, schedule.id)).rejects.toMatchObject({
      code: "TEMPLATE_NOT_FOUND",
      hint: expect.stringContaining("change the schedule"),
    });
    writeTemplate(core, NOTES.replace("default: short", "help: H"));
    core.advance(HOUR);
    await startDueSchedules(core);
    writeTemplate(core, NOTES);
    core.advance(HOUR);
    await startDueSchedules(core);

    const runs = await runsOf(core, schedule);
    expect(runs.map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", 'The template of this schedule cannot be used now. There is no template "notes".'],
      [
        "failed",
        "The template of this schedule cannot be used now. The template notes cannot be filled in. tone is missing.",
      ],
      ["started", null],
    ]);
    expect(runs.map(({ reason }) => reasonIn(reason ?? "", "ja"))).toEqual([
      "このスケジュールのテンプレートは、今は使えません。テンプレート「notes」はありません。",
      "このスケジュールのテンプレートは、今は使えません。テンプレート notes に値を入れられません。tone がありません。",
      "",
    ]);
  });

  test("refuses a template of another kind, wrong values, and a text beside it", async () => {
    const { core } = await aTemplateSchedule();
    const { request: _, ...hourly } = HOURLY;
    const make = (over: Partial<CreateSchedule>) =>
      createSchedule(core, LOCAL_USER, { ...hourly, ...over });

    await expect(make({ template: { ...template, id: "three-reviews" } })).rejects.toThrow(
      "starts no task",
    );
    await expect(make({ template: { ...template, values: {} } })).rejects.toThrow(
      "what is missing",
    );
    await expect(make({ template: { ...template, id: "note" } })).rejects.toMatchObject({
      hint: 'Did you mean "notes"?',
    });
    await expect(make({ template, request: "x" })).rejects.toThrow("either a text or a template");
    await expect(make({})).rejects.toThrow("either a text or a template");
  });

  test("refuses a folder that is not trusted, also if it lost the trust later", async () => {
    const { core, schedule } = await aTemplateSchedule();
    const trust = {
      path: "/p",
      hash: "h",
      powers: [],
      rules: [],
      inUse: null,
      problem: null,
      command: "kuromajutsu trust",
    };
    const untrusted = { ...core, trust: { now: () => trust, trust: async () => {} } };
    const { request: _, ...hourly } = HOURLY;
    await expect(
      createSchedule(untrusted, LOCAL_USER, { ...hourly, template }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    core.advance(HOUR);
    await startDueSchedules(untrusted);

    expect(await runsOf(core, schedule)).toMatchObject([
      { status: "failed", reason: expect.stringContaining("not trusted") },
    ]);
  });

  test("takes a text instead of the template and the other way round", async () => {
    const { core, schedule } = await aTemplateSchedule();
    const scheduleId = schedule.id;
    const plain = await changeSchedule(core, LOCAL_USER, { scheduleId, request: "Do this" });
    expect(plain).toMatchObject({ name: "Notes", request: "Do this", template: null });
    const again = await changeSchedule(core, LOCAL_USER, {
      scheduleId,
      template: { ...template, values: { what: "docs" } },
    });
    expect(again).toMatchObject({ request: "Write short notes about docs" });
  });

  test("starts its task once wherever the daemon dies", async () => {
    const { core, schedule } = await aTemplateSchedule();
    core.advance(HOUR);
    const dying = dyingAtCommit(core);
    await startDueSchedules(dying);

    const restarted = await aCore({ store: dying.store, now: core.clock.now() + MINUTE });
    await startDueSchedules(restarted);
    expect(await tasksOf(restarted)).toHaveLength(1);
    expect(await statuses(restarted, schedule)).toEqual(["started"]);
  });
});
