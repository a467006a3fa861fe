import { expect, test } from "vitest";
import { afterQuietHours, type QuietHours, WEEKDAYS } from "./quiet-hours.ts";

const NIGHT: QuietHours = {
  from: "22:00",
  to: "07:00",
  timeZone: "Asia/Tokyo",
  days: WEEKDAYS,
};
const WEEKEND: QuietHours = { ...NIGHT, from: "00:00", to: "24:00", days: ["sat", "sun"] };

/** 2026-11-14 is a Saturday. */
test.each<[string, readonly QuietHours[], string, string]>([
  ["no quiet hours", [], "2026-11-13T23:00+09:00", "2026-11-13T23:00+09:00"],
  ["the minute before", [NIGHT], "2026-11-13T21:59:59+09:00", "2026-11-13T21:59:59+09:00"],
  ["the first minute", [NIGHT], "2026-11-13T22:00+09:00", "2026-11-14T07:00+09:00"],
  ["after midnight", [NIGHT], "2026-11-14T06:59:30+09:00", "2026-11-14T07:00+09:00"],
  ["the end itself", [NIGHT], "2026-11-14T07:00+09:00", "2026-11-14T07:00+09:00"],
  ["another day", [{ ...NIGHT, days: ["mon"] }], "2026-11-13T23:00Z", "2026-11-13T23:00Z"],
  [
    "the morning after its day",
    [{ ...NIGHT, days: ["fri"] }],
    "2026-11-14T01:00+09:00",
    "2026-11-14T07:00+09:00",
  ],
  [
    "the evening of the day after its day",
    [{ ...NIGHT, days: ["fri"] }],
    "2026-11-14T23:00+09:00",
    "2026-11-14T23:00+09:00",
  ],
  ["a weekend", [WEEKEND], "2026-11-14T10:00+09:00", "2026-11-16T00:00+09:00"],
  [
    "a night, the weekend after it and the night after that",
    [NIGHT, WEEKEND],
    "2026-11-13T23:00+09:00",
    "2026-11-16T07:00+09:00",
  ],
  [
    "a break in the day",
    [{ ...NIGHT, from: "12:00", to: "13:00" }],
    "2026-11-13T12:30+09:00",
    "2026-11-13T13:00+09:00",
  ],
  [
    "a night in which the clock is put back",
    [{ ...NIGHT, timeZone: "Europe/Berlin" }],
    "2026-10-24T23:00+02:00",
    "2026-10-25T07:00+01:00",
  ],
  [
    "a night in which the clock is put forward",
    [{ ...NIGHT, timeZone: "Europe/Berlin" }],
    "2026-03-28T23:00+01:00",
    "2026-03-29T07:00+02:00",
  ],
])("quiet hours: %s", (_, hours, at, expected) => {
  const free = afterQuietHours(hours, Date.parse(at));

  expect(new Date(free).toISOString()).toBe(new Date(expected).toISOString());
});

test("quiet hours that never end hold an alert for some days and not forever", () => {
  const always = { ...NIGHT, from: "00:00", to: "24:00" };
  const at = Date.parse("2026-11-13T12:00Z");

  expect(afterQuietHours([always], at)).toBeGreaterThan(at);
});
