import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { listAlerts } from "../../src/contract/routes/alerts.ts";
import { aDaemon, aPlace, command, type Daemon, type Place, until } from "../kit/daemon.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { aReceiver, isSigned, type Received, type Receiver } from "../kit/webhook-receiver.ts";

const SECRET = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`;

function aPlaceWith(receiver: Receiver, rule: Record<string, unknown> = {}): Place {
  const place = aPlace({ OPS_SECRET: SECRET });
  const rules = [{ on: ["task.waiting"], to: ["webhook:ops"], ...rule }];
  const webhooks = { ops: { url: receiver.url, secretEnv: "OPS_SECRET" } };
  configure(place, { locale: "en", rules, webhooks });
  return place;
}

function configure(place: Place, alerts: Record<string, unknown>): void {
  const config = { agent: { runner: "rehearsal" }, alerts };
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(config));
}

async function askForTask({ url }: Daemon): Promise<string> {
  const response = await fetch(`${url}/api/tasks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "Count the overtime of September" }),
  });
  return z.object({ taskId: z.string() }).parse(await response.json()).taskId;
}

async function alertsOf({ url }: Daemon) {
  const response = await fetch(`${url}/api/alerts`);
  return listAlerts.answer.parse(await response.json()).alerts;
}

function tasksIn(received: readonly Received[]): readonly string[] {
  return received.flatMap(({ payload }) =>
    payload.data.alerts.map((alert) => String(alert["taskId"])),
  );
}

test("a task that waits for a person is sent to the webhook once, signed and in the chosen language", async () => {
  const receiver = await aReceiver();
  const place = aPlaceWith(receiver);
  const daemon = await aDaemon(place);
  const taskId = await askForTask(daemon);

  await until(() => receiver.received.length === 1);

  const [first] = receiver.received;
  expect(first && isSigned(first, SECRET)).toBe(true);
  expect(first?.payload.text).toContain("A task is waiting for a person: ");
  expect(tasksIn(receiver.received)).toEqual([taskId]);
  await until(async () => (await alertsOf(daemon))[0]?.status === "sent");
  expect(place.log()).not.toContain(SECRET);

  await daemon.kill("SIGTERM");
  await aDaemon(place);
  expect(receiver.received).toHaveLength(1);
});

test("a daemon that is killed between the event and the delivery sends the alert after its restart", async () => {
  const receiver = await aReceiver();
  const place = aPlaceWith(receiver, { digest_ms: 4_000 });
  const first = await aDaemon(place);
  const taskId = await askForTask(first);
  await until(async () => (await alertsOf(first)).length === 1);

  await first.kill("SIGKILL");
  expect(receiver.received).toEqual([]);
  const second = await aDaemon(place);

  await until(() => receiver.received.length > 0);
  await until(async () => (await alertsOf(second))[0]?.status === "sent");
  expect(tasksIn(receiver.received)).toEqual([taskId]);
});

test("a daemon that is killed while it sends repeats the message with the same id", async () => {
  const receiver = await aReceiver();
  receiver.answer = () => undefined;
  const place = aPlaceWith(receiver);
  const first = await aDaemon(place);
  await askForTask(first);
  await until(() => receiver.received.length === 1);

  await first.kill("SIGKILL");
  receiver.answer = (response) => response.writeHead(204).end();
  await aDaemon(place);

  await until(() => receiver.received.length === 2);
  const [one, other] = receiver.received;
  expect(other?.id).toBe(one?.id);
  expect(other?.payload.data).toEqual(one?.payload.data);
});

test.runIf(HAS_ALL_ROUNDS)(
  "however often a daemon is killed, each waiting task is alerted to",
  { timeout: 120_000 },
  async () => {
    const receiver = await aReceiver();
    const place = aPlaceWith(receiver);
    const asked: string[] = [];
    for (let round = 0; round < 4; round++) {
      const daemon = await aDaemon(place);
      asked.push(await askForTask(daemon));
      await new Promise((done) => setTimeout(done, round * 400));
      await daemon.kill("SIGKILL");
    }
    await aDaemon(place);

    await until(() => asked.every((id) => tasksIn(receiver.received).includes(id)));
    const byMessage = new Map(receiver.received.map((each) => [each.id, each]));
    expect(tasksIn([...byMessage.values()]).toSorted()).toEqual(asked.toSorted());
  },
);

test("rules that are added later, also by a reload, alert to nothing that happened before", async () => {
  const receiver = await aReceiver();
  const place = aPlaceWith(receiver);
  configure(place, {});
  const daemon = await aDaemon(place);
  const old = await askForTask(daemon);
  const waiting = async () => await (await fetch(`${daemon.url}/api/approvals`)).text();
  await until(async () => (await waiting()).includes(old));

  configure(place, {
    rules: [{ on: ["task.waiting"], to: ["webhook:ops"] }],
    webhooks: { ops: { url: receiver.url, secretEnv: "OPS_SECRET" } },
  });
  expect(await command(place, ["reload"])).toMatchObject({ code: 0 });
  const taskId = await askForTask(daemon);
  await until(() => receiver.received.length > 0);

  expect(tasksIn(receiver.received)).toEqual([taskId]);
});

test("alerts test says for each target what happened, and alerts list shows the deliveries", async () => {
  const receiver = await aReceiver();
  const place = aPlaceWith(receiver, { to: ["webhook:ops", "browser"] });
  const daemon = await aDaemon(place);

  const all = await command(place, ["alerts", "test"]);
  expect(all).toMatchObject({ code: 0 });
  expect(all.stdout).toContain("webhook:ops:");
  expect(all.stdout).toContain("browser:");
  expect(receiver.received[0]?.payload).toMatchObject({ data: { test: true } });

  receiver.answer = (response) => response.writeHead(500).end();
  const one = await command(place, ["alerts", "test", "--to", "webhook:ops"]);
  expect(one).toMatchObject({ code: 1, stdout: expect.stringContaining("HTTP 500") });

  expect(await command(place, ["alerts", "list"])).toMatchObject({ code: 0 });
  receiver.answer = (response) => response.writeHead(410).end();
  await askForTask(daemon);
  await until(async () => (await alertsOf(daemon)).some(({ status }) => status === "failed"));
  const listed = await command(place, ["alerts", "list", "--status", "failed", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    alerts: [{ target: "webhook:ops", tries: 1 }],
  });
  expect(place.log()).toContain("An alert could not be delivered and was given up.");
});
