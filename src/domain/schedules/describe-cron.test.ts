import { expect, test } from "vitest";
import { describeCron } from "./describe-cron.ts";
import { plannedTimeText } from "./planned-time-text.ts";

test.each([
  ["0 9 * * *", "毎日 9:00", "Every day at 9:00"],
  ["30 18 * * 1-5", "平日 18:30", "Every weekday at 18:30"],
  ["0 9 * * MON-FRI", "平日 9:00", "Every weekday at 9:00"],
  ["0 9 * * 1", "毎週月曜日 9:00", "Every Monday at 9:00"],
  ["0 9 * * mon,thu", "毎週月・木曜日 9:00", "Every Monday and Thursday at 9:00"],
  ["0 9 * * 7", "毎週日曜日 9:00", "Every Sunday at 9:00"],
  ["0 9,17 * * *", "毎日 9:00、17:00", "Every day at 9:00 and 17:00"],
  ["0 9 1 * *", "毎月 1 日 9:00", "On day 1 of every month at 9:00"],
  ["0 9 L * *", "毎月末日 9:00", "On the last day of every month at 9:00"],
  ["0 0 1 4 *", "毎年 4 月 1 日 0:00", "Every year on April 1 at 0:00"],
  ["* * * * *", "毎分", "Every minute"],
  ["*/15 * * * *", "15 分ごと", "Every 15 minutes"],
  ["5 * * * *", "毎時 5 分", "Every hour at minute 5"],
  ["0 */6 * * *", "6 時間ごと（0 分）", "Every 6 hours at minute 0"],
])("describeCron says %j in words", (cron, ja, en) => {
  expect([describeCron(cron, "ja"), describeCron(cron, "en")]).toEqual([ja, en]);
});

test.each(["*/7 * * * *", "0 9 1 * 1", "0 9 * * 1#2", "0 9-17 * * *", "*/15 9-17 * * 1-5"])(
  "describeCron returns the less common %j as it is",
  (cron) => {
    expect(describeCron(cron, "ja")).toBe(cron);
  },
);

test("plannedTimeText shows the clock of the time zone", () => {
  const at = Date.parse("2026-11-23T00:00:00Z");
  expect(plannedTimeText(at, "Asia/Tokyo", "ja")).toBe("2026/11/23(月) 9:00");
  expect(plannedTimeText(at, "Asia/Tokyo", "en")).toBe("Mon 23 Nov 2026 9:00");
  expect(plannedTimeText(at, "America/New_York", "en")).toBe("Sun 22 Nov 2026 19:00");
});
