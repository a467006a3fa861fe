import { expect, test } from "vitest";
import { aFakeTarget, alertsBy, anAlertRule } from "../../../../../test/kit/alerts.ts";
import { anAlert } from "../../../../../test/kit/builders.ts";
import { aCore } from "../../../../../test/kit/core.ts";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";

const HEADERS = { "content-type": "application/json", "x-kuromajutsu": "1" };

async function aDoor() {
  const fake = aFakeTarget();
  const core = await aCore({
    settings: { alerts: alertsBy(anAlertRule({ to: ["fake:ops", "slack:#dev"] })) },
    alertTargets: new Map([["fake", fake]]),
  });
  const { url } = await anHttpDoor(core);
  const post = async (body: unknown) => {
    const request = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/alerts/test`, request);
    return { status: response.status, answer: await response.json() };
  };
  return { core, fake, url, post };
}

test("GET /api/alerts lists alerts by status, the newest first", async () => {
  const { core, url } = await aDoor();
  await core.store.transaction(async (unit) => {
    await unit.insertAlert(anAlert());
    await unit.insertAlert(
      anAlert({ id: "alr-2", key: "2", status: "failed", dueAt: null, error: "HTTP 500" }),
    );
  });
  const list = async (query: string) => (await fetch(`${url}/api/alerts${query}`)).json();

  expect(await list("")).toMatchObject({ alerts: [{ alertId: "alr-2" }, { alertId: "alr-1" }] });
  expect(await list("?status=failed")).toMatchObject({
    alerts: [{ alertId: "alr-2", status: "failed", error: "HTTP 500", target: "webhook:ops" }],
  });
});

test("POST /api/alerts/test sends to every target of the rules and reports each result", async () => {
  const { fake, post } = await aDoor();

  const { status, answer } = await post({});

  expect(status).toBe(200);
  expect(answer).toMatchObject({
    targets: [
      { target: "fake:ops", sent: true, error: null },
      { target: "slack:#dev", sent: false, error: expect.stringContaining("not set up") },
    ],
  });
  expect(fake.sent[0]?.message).toMatchObject({
    isTest: true,
    alerts: [{ url: "https://kuro.example/settings", recipients: ["local"] }],
  });
});

test("POST /api/alerts/test can name one target, and says why it is not reached", async () => {
  const { fake, post } = await aDoor();
  fake.answer = { isSent: false, reason: "It answered HTTP 500." };

  expect(await post({ to: "fake:ops" })).toMatchObject({
    answer: { targets: [{ target: "fake:ops", sent: false, error: "It answered HTTP 500." }] },
  });
});

test("POST /api/alerts/test is refused without rules and without a target", async () => {
  const core = await aCore();
  const { url } = await anHttpDoor(core);
  const request = { method: "POST", headers: HEADERS, body: "{}" };

  const response = await fetch(`${url}/api/alerts/test`, request);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "INVALID_ARGUMENTS" });
});
