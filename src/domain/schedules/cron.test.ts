import { describe, expect, test } from "vitest";
import { lastTimes, nextTime, nextTimes, requireCron } from "./cron.ts";

const at = (text: string) => Date.parse(`2026-11-17T${text}:00Z`);
const NOON = Date.parse("2026-11-17T12:00:00Z");

function times(cron: string, zone: string, from: string, n: number): string[] {
  return nextTimes(cron, zone, Date.parse(from), n).map((time) => new Date(time).toISOString());
}

describe("requireCron", () => {
  test.each([
    ["  0   9 * *  1 ", "0 9 * * 1"],
    ["0 9 * * MON-FRI", "0 9 * * MON-FRI"],
    ["*/15 9-17 * * 1-5", "*/15 9-17 * * 1-5"],
    ["0 9 L * *", "0 9 L * *"],
    ["0 9 29 2 *", "0 9 29 2 *"],
    ["@daily", "0 0 * * *"],
  ])("takes %j", (given, cron) => {
    expect(requireCron(given)).toBe(cron);
  });

  test.each([
    ["61 9 * * *", /minute \(field 1\) is "61"; it takes 0-59/],
    ["0 24 * * *", /hour \(field 2\) is "24"/],
    ["0 9 32 * *", /day of month \(field 3\) is "32"/],
    ["0 9 * 13 *", /month \(field 4\) is "13"/],
    ["0 9 * * 8", /day of week \(field 5\) is "8"/],
    ["0 9 * * FOO", /day of week \(field 5\) is "FOO"/],
    ["0 9 * * ?", /day of week \(field 5\) is "\?"/],
    ["*/0 * * * *", /minute \(field 1\)/],
    ["0 9-5 * * *", /hour \(field 2\)/],
    ["* * *", /has 3 fields; a cron expression has 5/],
    ["", /has 0 fields; a cron expression has 5/],
    ["0 0 9 * * 1", /has 6 fields. Seconds are not supported: .* once a minute/],
    [`${"1,".repeat(200)}1 * * * *`, /too long/],
    ["毎朝 9 時 に お願い", /minute \(field 1\) is "毎朝"/],
  ])("refuses %j and says which field is wrong, with an example", (given, message) => {
    expect(() => requireCron(given)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENTS",
        message: expect.stringMatching(message),
        hint: expect.stringContaining('"0 9 * * 1"'),
      }),
    );
  });

  test.each(["0 9 30 2 *", "0 9 31 4,6,9,11 *", "0 0 30W 2 *"])(
    "refuses %j, which never happens",
    (cron) => {
      expect(() => requireCron(cron)).toThrow(/never happens/);
    },
  );
});

describe("the planned times", () => {
  test("are after the given time, not at it", () => {
    const nine = Date.parse("2026-11-23T00:00:00Z");
    expect(nextTime("0 9 * * 1", "Asia/Tokyo", nine - 1_000)).toBe(nine);
    expect(nextTime("0 9 * * 1", "Asia/Tokyo", nine)).toBe(nine + 7 * 86_400_000);
  });

  test("at and before a time are found oldest first", () => {
    expect(lastTimes("*/5 * * * *", "UTC", at("12:00"), 3)).toEqual([
      at("11:50"),
      at("11:55"),
      at("12:00"),
    ]);
    expect(lastTimes("*/5 * * * *", "UTC", at("12:00") - 1, 1)).toEqual([at("11:55")]);
  });

  test("a leap day comes in the next leap year", () => {
    expect(nextTime("0 9 29 2 *", "UTC", NOON)).toBe(Date.parse("2028-02-29T09:00:00Z"));
  });
});

describe("daylight saving time", () => {
  test("a fixed time that does not exist runs right after the gap, in Berlin and New York", () => {
    expect(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    expect(times("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2)).toEqual([
      "2026-03-08T07:00:00.000Z",
      "2026-03-09T06:30:00.000Z",
    ]);
  });

  test("a fixed time that exists twice runs once, at the first, in Berlin and New York", () => {
    expect(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    expect(times("30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z",
    ]);
  });

  test("an hourly expression runs every hour, also in the repeated and around the missing one", () => {
    expect(times("30 * * * *", "Europe/Berlin", "2026-10-24T23:00:00Z", 3)).toEqual([
      "2026-10-24T23:30:00.000Z",
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
    ]);
    expect(times("30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 2)).toEqual([
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
    ]);
  });

  test("several times of day in the gap are left out", () => {
    expect(times("0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-30T00:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  test("Tokyo has none", () => {
    expect(times("0 9 * * *", "Asia/Tokyo", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T00:00:00.000Z",
      "2026-03-30T00:00:00.000Z",
    ]);
  });
});
