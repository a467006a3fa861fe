import { expect, test } from "vitest";
import { type AlertRule, planAlerts } from "./alert-rules.ts";
import type { AlertKind } from "./alert.ts";
import { WEEKDAYS } from "./quiet-hours.ts";

const NOW = Date.parse("2026-11-13T23:00Z");
const MORNING = Date.parse("2026-11-14T07:00Z");
const HOUR = 3_600_000;

const rule = (over: Partial<AlertRule> = {}): AlertRule => ({
  on: ["task.waiting", "task.failed"],
  to: ["webhook:ops"],
  for: "requester",
  quietHours: [],
  digestMs: 0,
  urgent: false,
  ...over,
});
const NIGHT = [{ from: "22:00", to: "07:00", timeZone: "UTC", days: WEEKDAYS }];

type Over = { kind?: AlertKind; requester?: string | null; next?: number };

async function plan(rules: readonly AlertRule[], over: Over = {}) {
  const { kind = "task.failed", requester = "aoi", next } = over;
  return planAlerts(
    rules,
    { kind, requester },
    {
      now: NOW,
      substitutes: ["admin"],
      nextDue: async () => next,
    },
  );
}

test("a kind that no rule names makes no alert", async () => {
  expect(await plan([], {})).toEqual([]);
  expect(await plan([rule()], { kind: "task.completed" })).toEqual([]);
});

test("without quiet hours and digest an alert is due at once, for the requester", async () => {
  expect(await plan([rule()])).toEqual([
    { target: "webhook:ops", recipients: ["aoi"], dueAt: NOW },
  ]);
});

test("the admins stand for a requester that is not known", async () => {
  expect(await plan([rule()], { requester: null })).toMatchObject([{ recipients: ["admin"] }]);
});

test("a Slack message for the requester is addressed to the person", async () => {
  const slack = rule({ to: ["slack:requester", "slack:#ops"], for: "all" });

  expect(await plan([slack])).toMatchObject([
    { target: "slack:person:aoi" },
    { target: "slack:#ops", recipients: null },
  ]);
  expect(await plan([slack], { requester: null })).toMatchObject([
    { target: "slack:person:admin" },
    {},
  ]);
});

test("two rules for one target make one alert, for the people of both, at the earlier time", async () => {
  const rules = [rule({ digestMs: HOUR, for: ["ben"] }), rule({ for: ["aoi", "ben"] })];

  expect(await plan(rules)).toEqual([
    { target: "webhook:ops", recipients: ["ben", "aoi"], dueAt: NOW },
  ]);
  expect(await plan([...rules, rule({ for: "all" })])).toMatchObject([{ recipients: null }]);
});

test("quiet hours hold an alert until their end", async () => {
  expect(await plan([rule({ quietHours: NIGHT })])).toMatchObject([{ dueAt: MORNING }]);
});

test("an urgent rule holds only what does not wait for a person", async () => {
  const urgent = rule({ quietHours: NIGHT, digestMs: HOUR, urgent: true });

  expect(await plan([urgent], { kind: "task.waiting" })).toMatchObject([{ dueAt: NOW }]);
  expect(await plan([urgent], { kind: "task.failed" })).toMatchObject([{ dueAt: MORNING }]);
  const calm = rule({ quietHours: NIGHT });
  expect(await plan([calm], { kind: "task.waiting" })).toMatchObject([{ dueAt: MORNING }]);
});

test("a digest begins with its first alert, and later ones join it", async () => {
  const digest = rule({ digestMs: HOUR });

  expect(await plan([digest])).toMatchObject([{ dueAt: NOW + HOUR }]);
  expect(await plan([digest], { next: NOW + 5 })).toMatchObject([{ dueAt: NOW + 5 }]);
  expect(await plan([digest], { next: NOW + 9 * HOUR })).toMatchObject([{ dueAt: NOW + HOUR }]);
});
