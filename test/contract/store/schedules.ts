import { expect, test } from "vitest";
import type { Store, UnitOfWork } from "../../../src/app/ports/store.ts";
import { aGroup, aTask, NOON } from "../../kit/builders.ts";
import { aSchedule, aScheduleRun } from "../../kit/schedules.ts";
import { type Open, range } from "./kit.ts";

const HOUR = 3_600_000;

export function schedules(aStore: Open): void {
  test("a schedule comes back with every field, the newest first", async () => {
    const store = await aStore();
    const full = aSchedule({
      id: "sch-02",
      name: "名前 👩‍👩‍👧‍👦",
      request: "'; --\n二行目",
      template: { id: "weekly-report", values: { period: "先週 '" }, locale: "ja" },
      priority: "high",
      status: "paused",
      pausedBy: "system",
      pausedReason: "requester_gone",
      nextAt: null,
      queuedAt: NOON,
    });

    await insert(store, async (unit) => {
      await unit.insertSchedule(aSchedule());
      await unit.insertSchedule(full);
    });

    expect(await store.listSchedules()).toEqual([full, aSchedule()]);
    expect(await store.getSchedule("sch-02")).toEqual(full);
    expect(await store.getSchedule("nothing")).toBeUndefined();
  });

  test("the next planned time is the first of all active schedules", async () => {
    const store = await aStore();
    expect(await store.nextScheduleDue()).toBeUndefined();

    await insert(store, async (unit) => {
      await unit.insertSchedule(aSchedule({ id: "sch-1", nextAt: NOON + HOUR }));
      await unit.insertSchedule(aSchedule({ id: "sch-2", nextAt: NOON }));
      await unit.insertSchedule(aSchedule({ id: "sch-3", nextAt: null }));
    });

    expect(await store.nextScheduleDue()).toBe(NOON);
  });

  test("a schedule changes once per version", async () => {
    const store = await aStore();
    const before = aSchedule();
    await insert(store, (unit) => unit.insertSchedule(before));

    const changed = await store.transaction((unit) =>
      unit.updateSchedule({ ...before, name: "新しい" }, before),
    );

    expect(await store.getSchedule(before.id)).toEqual({ ...before, name: "新しい", version: 2 });
    for (const stale of [
      (unit: UnitOfWork) => unit.updateSchedule({ ...before, name: "古い" }, before),
      (unit: UnitOfWork) => unit.deleteSchedule(before),
    ]) {
      await expect(store.transaction<unknown>(stale)).rejects.toMatchObject({
        code: "VERSION_CONFLICT",
      });
    }
    await store.transaction((unit) => unit.deleteSchedule(changed));
    expect(await store.listSchedules()).toEqual([]);
  });

  test("a planned time is recorded once; a person may run the schedule at the same time", async () => {
    const store = await aStore();
    const run = aScheduleRun({ status: "failed", reason: "なぜ", count: 7, taskId: null });
    await insert(store, (unit) => unit.insertSchedule(aSchedule()));

    const inserted = await store.transaction(async (unit) => [
      await unit.insertScheduleRun(run),
      await unit.insertScheduleRun(aScheduleRun()),
      await unit.insertScheduleRun(aScheduleRun({ isManual: true })),
    ]);

    expect(inserted).toEqual([true, false, true]);
    expect(await store.getScheduleRun("sch-01", NOON)).toEqual(run);
    expect(await store.getScheduleRun("sch-01", NOON + 1)).toBeUndefined();
    expect(await store.listLastScheduleRuns()).toEqual([aScheduleRun({ isManual: true })]);
  });

  test("a queued run is replaced when it starts", async () => {
    const store = await aStore();
    await insert(store, async (unit) => {
      await unit.insertSchedule(aSchedule());
      await unit.insertScheduleRun(aScheduleRun({ status: "queued", taskId: null }));
      await unit.updateScheduleRun(aScheduleRun({ at: NOON + HOUR }));
    });

    expect(await store.getScheduleRun("sch-01", NOON)).toEqual(aScheduleRun({ at: NOON + HOUR }));
  });

  test("runs are listed in pages, the newest first, and go with their schedule", async () => {
    const store = await aStore();
    await insert(store, async (unit) => {
      await unit.insertSchedule(aSchedule());
      await unit.insertSchedule(aSchedule({ id: "sch-other" }));
      await unit.insertScheduleRun(aScheduleRun({ scheduleId: "sch-other" }));
      for (const n of range(1, 5)) {
        await unit.insertScheduleRun(aScheduleRun({ plannedAt: NOON + n }));
      }
    });
    const page = async (cursor?: string) => {
      const query = { scheduleId: "sch-01", limit: 2, ...(cursor && { cursor }) };
      const { runs, nextCursor } = await store.listScheduleRuns(query);
      return { times: runs.map(({ plannedAt }) => plannedAt - NOON), nextCursor };
    };

    const first = await page();
    const second = await page(first.nextCursor ?? "");
    const third = await page(second.nextCursor ?? "");

    expect([first.times, second.times, third.times]).toEqual([[5, 4], [3, 2], [1]]);
    expect(third.nextCursor).toBeNull();
    await store.transaction((unit) => unit.deleteSchedule(aSchedule()));
    expect((await page()).times).toEqual([]);
    expect(await store.listLastScheduleRuns()).toHaveLength(1);
  });

  test("open tasks of a schedule are counted", async () => {
    const store = await aStore();
    const statuses = [
      "analyzing",
      "blocked",
      "in_progress",
      "completed",
      "failed",
      "cancelled",
    ] as const;
    await insert(store, async (unit) => {
      await unit.insertGroup(aGroup());
      for (const [n, status] of statuses.entries()) {
        await unit.insertTask(aTask({ id: `task-${n}`, status, scheduleId: "sch-01" }));
      }
      await unit.insertTask(aTask({ id: "task-own" }));
      await unit.insertTask(aTask({ id: "task-other", scheduleId: "sch-02" }));
    });

    expect(await store.countOpenTasksOfSchedule("sch-01")).toBe(3);
    expect(await store.countOpenTasksOfSchedule("sch-03")).toBe(0);
  });

  test("purging removes old runs and keeps queued ones and the schedule", async () => {
    const store = await aStore();
    await insert(store, async (unit) => {
      await unit.insertSchedule(aSchedule());
      await unit.insertScheduleRun(aScheduleRun({ plannedAt: 1, at: NOON - HOUR }));
      await unit.insertScheduleRun(
        aScheduleRun({ plannedAt: 2, at: NOON - HOUR, status: "queued" }),
      );
      await unit.insertScheduleRun(aScheduleRun({ plannedAt: 3, at: NOON }));
      await unit.purgeHistory(NOON, 100);
    });

    const { runs } = await store.listScheduleRuns({ scheduleId: "sch-01", limit: 10 });
    expect(runs.map(({ plannedAt }) => plannedAt)).toEqual([3, 2]);
    expect(await store.getSchedule("sch-01")).toEqual(aSchedule());
  });
}

function insert(store: Store, work: (unit: UnitOfWork) => Promise<unknown>): Promise<unknown> {
  return store.transaction(work);
}
