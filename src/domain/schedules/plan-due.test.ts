import { describe, expect, test } from "vitest";
import { MAX_CAUGHT_UP, MAX_COUNTED, planDue, timesBefore } from "./plan-due.ts";
import type { MissedPolicy } from "./schedule.ts";

const at = (text: string) => Date.parse(`2026-11-17T${text}Z`);
const HOUR = 3_600_000;

function hourly(missed: MissedPolicy, nextAt: number) {
  return { cron: "0 * * * *", timeZone: "Asia/Tokyo", missed, nextAt };
}

describe("planDue", () => {
  test.each(["skip", "run-once", "run-all"] as const)(
    "starts a planned time that has just come, with the policy %s",
    (missed) => {
      expect(planDue(hourly(missed, at("09:00:00")), at("09:00:59"))).toEqual({
        kind: "start",
        plannedAt: at("09:00:00"),
        nextAt: at("10:00:00"),
      });
    },
  );

  test("skips a time that is more than a minute late with the policy skip", () => {
    expect(planDue(hourly("skip", at("09:00:00")), at("09:01:01"))).toEqual({
      kind: "skip",
      first: at("09:00:00"),
      last: at("09:00:00"),
      count: 1,
      nextAt: at("10:00:00"),
    });
  });

  test("skips missed times but not the one that has just come, with the policy skip", () => {
    expect(planDue(hourly("skip", at("06:00:00")), at("09:00:10"))).toEqual({
      kind: "skip",
      first: at("06:00:00"),
      last: at("08:00:00"),
      count: 3,
      nextAt: at("09:00:00"),
    });
  });

  test("starts only the newest of several times with the policy run-once", () => {
    const schedule = hourly("run-once", at("06:00:00"));
    const step = planDue(schedule, at("09:30:00"));
    expect(step).toEqual({
      kind: "skip",
      first: at("06:00:00"),
      last: at("08:00:00"),
      count: 3,
      nextAt: at("09:00:00"),
    });
    expect(planDue({ ...schedule, nextAt: at("09:00:00") }, at("09:30:00"))).toEqual({
      kind: "start",
      plannedAt: at("09:00:00"),
      nextAt: at("10:00:00"),
    });
  });

  test("starts one time after the other with the policy run-all", () => {
    expect(planDue(hourly("run-all", at("06:00:00")), at("09:30:00"))).toMatchObject({
      kind: "start",
      plannedAt: at("06:00:00"),
      nextAt: at("07:00:00"),
    });
  });

  test("keeps only the newest times if run-all would start too many", () => {
    const now = at("09:30:00");
    const step = planDue(hourly("run-all", at("09:00:00") - 50 * HOUR), now);
    expect(step).toMatchObject({
      kind: "skip",
      count: 51 - MAX_CAUGHT_UP,
      nextAt: at("09:00:00") - (MAX_CAUGHT_UP - 1) * HOUR,
    });
    expect(planDue(hourly("run-all", step.nextAt ?? 0), now).kind).toBe("start");
  });

  test("counts up to a limit after a year without a daemon, and still finds the last time", () => {
    const now = at("09:00:30");
    const schedule = { ...hourly("run-once", now - 365 * 24 * HOUR), cron: "* * * * *" };
    expect(planDue(schedule, now)).toMatchObject({
      kind: "skip",
      count: MAX_COUNTED,
      last: at("08:59:00"),
      nextAt: at("09:00:00"),
    });
  });

  test("starts the stored time also if the expression no longer contains it", () => {
    expect(planDue(hourly("run-once", at("09:07:00")), at("09:07:01"))).toMatchObject({
      kind: "start",
      plannedAt: at("09:07:00"),
    });
  });
});

describe("timesBefore", () => {
  test("finds nothing while the stored time is the next one", () => {
    expect(timesBefore(hourly("skip", at("10:00:00")), at("09:30:00"), 5)).toEqual([]);
    expect(timesBefore(hourly("skip", at("09:00:00")), at("09:30:00"), 5)).toEqual([]);
  });

  test("finds the times that a clock which was set back has before it again", () => {
    expect(timesBefore(hourly("skip", at("10:00:00")), at("07:30:00"), 5)).toEqual([
      at("08:00:00"),
      at("09:00:00"),
    ]);
  });
});
