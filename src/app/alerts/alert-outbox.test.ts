import { expect, onTestFinished, test } from "vitest";
import { aFakeTarget, alertsBy, anAlertRule, type FakeTarget } from "../../../test/kit/alerts.ts";
import { ask } from "../../../test/kit/approvals.ts";
import { anAlert } from "../../../test/kit/builders.ts";
import { aCore, type ACore, type TestCore } from "../../../test/kit/core.ts";
import type { AlertRule } from "../../domain/alerts/alert-rules.ts";
import { type Alert, MAX_TRIES } from "../../domain/alerts/alert.ts";
import { WEEKDAYS } from "../../domain/alerts/quiet-hours.ts";
import { closeApproval } from "../approvals/request-approval.ts";
import type { SendResult } from "../ports/alert-target.ts";
import { startAlertOutbox } from "./alert-outbox.ts";
import { deliverTo } from "./deliver-alerts.ts";
import { recordAlerts } from "./record-alerts.ts";

const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

type Sending = { core: TestCore; fake: FakeTarget };

/** A core whose alerts are on, without a running outbox: a test sends when it wants to. */
async function sending(rule: Partial<AlertRule> = {}, over: ACore = {}): Promise<Sending> {
  const fake = aFakeTarget();
  const alerts = alertsBy(anAlertRule(rule));
  const core = await aCore({
    settings: { alerts },
    alertTargets: new Map([["fake", fake]]),
    ...over,
  });
  await recordAlerts(core);
  return { core, fake };
}

async function deliver({ core }: Sending): Promise<void> {
  await recordAlerts(core);
  await deliverTo(core, "fake:ops", NEVER);
}

async function rowsOf({ core }: Sending): Promise<readonly Alert[]> {
  return (await core.store.listAlerts({ limit: 100 })).toReversed();
}

test("an alert is sent to the address of its target, with a link, and then it is done", async () => {
  const it = await sending();
  const approval = await ask(it.core);

  await deliver(it);
  await deliver(it);

  expect(it.fake.sent).toHaveLength(1);
  expect(it.fake.sent[0]).toMatchObject({
    address: "ops",
    message: {
      id: expect.stringMatching(/^msg-/),
      locale: "en",
      isTest: false,
      alerts: [
        {
          kind: "agent.waiting",
          path: `/approvals/${approval.id}`,
          url: `https://kuro.example/approvals/${approval.id}`,
        },
      ],
    },
  });
  expect(await rowsOf(it)).toMatchObject([{ status: "sent", tries: 1, dueAt: null, error: null }]);
});

test("a server that was paused before it sent an alert sends nothing if another one leads by then", async () => {
  let leads: readonly boolean[] = [true, false];
  const it = await sending({}, { isLeader: () => leads[0] ?? false });
  await ask(it.core);
  const { store } = it.core;
  const paused = {
    ...it.core,
    store: {
      ...store,
      transaction: async <T>(work: Parameters<typeof store.transaction<T>>[0]) => {
        const done = await store.transaction(work);
        leads = leads.slice(1);
        return done;
      },
    },
  };
  await recordAlerts(it.core);

  await deliverTo(paused, "fake:ops", NEVER);

  expect(it.fake.sent).toEqual([]);
  expect(await rowsOf(it)).toMatchObject([{ status: "pending", tries: 1 }]);
  // The next leader sends it when it is due again.
  leads = [true, true, true];
  it.core.advance(HOUR);
  await deliver(it);
  expect(it.fake.sent).toHaveLength(1);
});

test("a failed try is repeated with the same id, later each time, and given up in the end", async () => {
  const it = await sending();
  it.fake.answer = { isSent: false, reason: "It answered HTTP 500." };
  await ask(it.core);

  for (let hours = 0; hours < 24; hours++) {
    await deliver(it);
    it.core.advance(HOUR);
  }

  const ids = new Set(it.fake.sent.map(({ message }) => message.id));
  expect(ids.size).toBe(1);
  expect(it.fake.sent).toHaveLength(MAX_TRIES);
  expect(await rowsOf(it)).toMatchObject([
    { status: "failed", tries: MAX_TRIES, dueAt: null, error: "It answered HTTP 500." },
  ]);
});

test("a new alert does not join the message of an earlier one that is tried again", async () => {
  const it = await sending();
  it.fake.answer = { isSent: false, reason: "down" };
  await ask(it.core);
  await deliver(it);
  it.fake.answer = { isSent: true };
  it.core.advance(10_000);
  await ask(it.core);

  await deliver(it);

  expect(it.fake.sent.map(({ message }) => message.alerts.length)).toEqual([1, 1, 1]);
  expect(it.fake.sent[1]?.message.id).toBe(it.fake.sent[0]?.message.id);
  expect((await rowsOf(it)).map(({ status }) => status)).toEqual(["sent", "sent"]);
});

test("an answer that makes retries useless ends the delivery at once", async () => {
  const it = await sending();
  it.fake.answer = { isSent: false, reason: "410 Gone", isFinal: true };
  await ask(it.core);
  await deliver(it);

  expect(await rowsOf(it)).toMatchObject([{ status: "failed", tries: 1, error: "410 Gone" }]);
});

test("a target that cannot be reached at all says what is missing", async () => {
  const it = await sending({ to: ["slack:#ops"] });
  await ask(it.core);
  await recordAlerts(it.core);
  await deliverTo(it.core, "slack:#ops", NEVER);

  expect(await rowsOf(it)).toMatchObject([
    { status: "failed", error: expect.stringContaining("slack is not set up") },
  ]);
});

test("a bug in a target counts as a failed try", async () => {
  const it = await sending();
  it.fake.answer = () => Promise.reject(new Error("boom"));
  await ask(it.core);
  await deliver(it);

  expect(await rowsOf(it)).toMatchObject([{ status: "pending", error: "Error: boom", tries: 1 }]);
});

test("the receiver's wish for a longer wait is respected", async () => {
  const it = await sending();
  it.fake.answer = { isSent: false, reason: "busy", retryAfterMs: 60_000 };
  await ask(it.core);
  await deliver(it);

  expect(await rowsOf(it)).toMatchObject([{ dueAt: it.core.clock.now() + 60_000 }]);
});

test("a daemon that is killed while it sends sends the same message again after a restart", async () => {
  const it = await sending();
  const hung = Promise.withResolvers<SendResult>();
  it.fake.answer = () => hung.promise;
  await ask(it.core);
  await recordAlerts(it.core);
  void deliverTo(it.core, "fake:ops", NEVER);
  await it.core.quiet();

  const fake = aFakeTarget();
  const alertTargets = new Map([["fake", fake]]);
  const { settings, store } = it.core;
  const core = await aCore({ settings, store, alertTargets, now: it.core.clock.now() + 10_000 });
  await deliver({ core, fake });

  expect(it.fake.sent).toHaveLength(1);
  expect(fake.sent).toHaveLength(1);
  expect(fake.sent[0]?.message.id).toBe(it.fake.sent[0]?.message.id);
  expect(fake.sent[0]?.message.alerts).toEqual(it.fake.sent[0]?.message.alerts);
});

test("a message whose last try killed the daemon is given up and not sent again", async () => {
  const it = await sending();
  const last = anAlert({ target: "fake:ops", tries: MAX_TRIES, messageId: "msg-1" });
  await it.core.store.transaction((unit) => unit.insertAlert(last));
  await deliver(it);

  expect(it.fake.sent).toEqual([]);
  expect(await rowsOf(it)).toMatchObject([{ status: "failed" }]);
});

test("alerts that are due together are one message of at most 50", async () => {
  const it = await sending();
  for (let n = 0; n < 60; n++) await ask(it.core);
  await deliver(it);

  expect(it.fake.sent.map(({ message }) => message.alerts.length)).toEqual([50, 10]);
});

test("a digest collects alerts and sends them together", async () => {
  const it = await sending({ digestMs: HOUR });
  await ask(it.core);
  await deliver(it);
  it.core.advance(HOUR / 2);
  await ask(it.core);
  await deliver(it);
  expect(it.fake.sent).toEqual([]);

  it.core.advance(HOUR / 2);
  await deliver(it);
  expect(it.fake.sent.map(({ message }) => message.alerts.length)).toEqual([2]);
});

test("what no longer waits at the end of the quiet hours is dropped", async () => {
  const day = { from: "00:00", to: "24:00", timeZone: "UTC", days: WEEKDAYS.slice(0, 6) };
  const it = await sending({ quietHours: [day] });
  const decided = await ask(it.core);
  await ask(it.core);
  await deliver(it);
  expect(it.fake.sent).toEqual([]);
  await it.core.store.transaction((unit) => closeApproval(it.core, unit, decided, "cancelled"));

  it.core.advance(7 * 24 * HOUR);
  await deliver(it);

  expect(it.fake.sent.map(({ message }) => message.alerts.length)).toEqual([1]);
  expect((await rowsOf(it)).map(({ status }) => status)).toEqual(["dropped", "sent"]);
});

test("the running outbox sends at once, and a hanging target delays no other", async () => {
  const slow = aFakeTarget();
  slow.answer = () => new Promise(() => undefined);
  const fast = aFakeTarget();
  const core = await aCore({
    settings: { alerts: alertsBy(anAlertRule({ to: ["slow:x", "fast:x"] })) },
    alertTargets: new Map([
      ["slow", slow],
      ["fast", fast],
    ]),
  });
  await recordAlerts(core);
  const outbox = startAlertOutbox(core);
  onTestFinished(() => void outbox.stop());

  await ask(core);
  await until(() => fast.sent.length === 1);
  await ask(core);
  await until(() => fast.sent.length === 2);

  expect(slow.sent).toHaveLength(1);
});

test("a stopped outbox sends nothing more and leaves the rows as they are", async () => {
  const it = await sending();
  const outbox = startAlertOutbox(it.core);
  await outbox.stop();
  await ask(it.core);
  await it.core.quiet();

  expect(it.fake.sent).toEqual([]);
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setTimeout(done, 5));
}
