import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../../kit/daemon.ts";
import { aCutProxy } from "../../kit/postgres/cut-proxy.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import {
  aConnection,
  ask,
  aServer,
  LEASE_MS,
  rowsOf,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aReceiver, type Receiver } from "../../kit/webhook-receiver.ts";

/** The lease, the look of another server, and a busy machine. */
const LEADS_AFTER_MS = LEASE_MS + 5_000;
const SECRET = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`;
const LEADER_LOCK = 4_707_221;

type AlertingServer = TestServer & { readonly receiver: Receiver };

/** A server that sends alerts to a receiver of its own, so that the test knows the sender. */
async function anAlertingServer(url: string): Promise<AlertingServer> {
  const receiver = await aReceiver();
  const alerts = {
    locale: "en",
    rules: [{ on: ["task.waiting"], to: ["webhook:ops"] }],
    webhooks: { ops: { url: receiver.url, secretEnv: "OPS_SECRET" } },
  };
  const place = aPlaceOn(url, { OPS_SECRET: SECRET });
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    JSON.stringify({ ...SETTINGS, alerts }),
  );
  return { ...(await startAgain(place)), receiver };
}

/** What the server itself believes. */
async function leads({ url }: TestServer): Promise<boolean> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return page.includes("\nkuromajutsu_server_leader 1");
}

const serversShape = z.object({
  servers: z.array(z.object({ id: z.string(), isLeader: z.boolean() })),
});

/** What every server says about the others. */
async function leadersAt(server: TestServer): Promise<readonly string[]> {
  const { body } = await ask(server, "GET", "/api/servers");
  return serversShape.parse(body).servers.flatMap((each) => (each.isLeader ? [each.id] : []));
}

async function askForTask(server: TestServer): Promise<void> {
  const text = "Count the overtime of September";
  expect((await ask(server, "POST", "/api/tasks", { json: { text } })).status).toBe(201);
}

async function leaderAndOther(urlOfFirst: string, url = urlOfFirst) {
  const a = await anAlertingServer(urlOfFirst);
  await until(() => leads(a));
  const b = await anAlertingServer(url);
  return { a, b };
}

test("a server that is killed while it leads is followed by another one within its lease", async () => {
  const url = await aMigratedUrl();
  const { a, b } = await leaderAndOther(url);
  await sleep(LEASE_MS);
  expect([await leads(a), await leads(b)]).toEqual([true, false]);
  expect(await leadersAt(b)).toEqual([a.id]);

  await a.daemon.kill("SIGKILL");

  await until(() => leads(b), undefined, LEADS_AFTER_MS);
  expect(await leadersAt(b)).toEqual([b.id]);
  await askForTask(b);
  await until(() => b.receiver.received.length > 0);
});

test("a server that is stopped on purpose is followed by another one at once", async () => {
  const url = await aMigratedUrl();
  const long = { ...SETTINGS, store: { lease_ms: 60_000 } };
  const a = await aServer(url, long);
  await until(() => leads(a));
  const b = await aServer(url, long);

  await a.daemon.kill("SIGTERM");

  await until(() => leads(b), undefined, 5_000);
  expect(await leadersAt(b)).toEqual([b.id]);
});

test("a server that was paused past its lease sends nothing after another one leads", async () => {
  const url = await aMigratedUrl();
  const { a, b } = await leaderAndOther(url);
  await askForTask(a);
  await until(() => a.receiver.received.length === 1);

  process.kill(a.daemon.pid, "SIGSTOP");
  await until(() => leads(b), undefined, LEADS_AFTER_MS);
  // Everything that happens now is sent by the other server, also while the first one wakes up.
  const tasks = 8;
  for (let n = 0; n < tasks; n++) {
    if (n === tasks / 2) process.kill(a.daemon.pid, "SIGCONT");
    await askForTask(b);
  }
  expect(await leads(a)).toBe(false);
  const alerted = () => b.receiver.received.flatMap(({ payload }) => payload.data.alerts).length;
  await until(() => alerted() >= tasks, undefined, 30_000);
  await sleep(LEASE_MS);

  expect(alerted()).toBe(tasks);
  expect(a.receiver.received).toHaveLength(1);
  expect([await leads(a), await leads(b)]).toEqual([false, true]);
});

test("a server whose connections to the database hang stops leading, and another one leads", async () => {
  const url = await aMigratedUrl();
  const proxy = await aCutProxy(url);
  const { a, b } = await leaderAndOther(proxy.url, url);

  proxy.stall();
  const begun = performance.now();
  // PostgreSQL keeps the sessions of a host that is gone, as here.
  let wereBothLeading = false;
  while (!(await leads(b))) {
    expect(performance.now() - begun).toBeLessThan(LEADS_AFTER_MS);
    await sleep(50);
  }
  const holder = await rowsOf(
    url,
    `select 1 from pg_locks where locktype = 'advisory' and objid = ${LEADER_LOCK} and granted`,
  );
  expect(holder.length).toBeGreaterThan(0);
  expect(await leadersAt(b)).toEqual([b.id]);

  proxy.restore();
  for (const end = performance.now() + 2 * LEASE_MS; performance.now() < end; await sleep(100)) {
    wereBothLeading ||= (await leads(a)) && (await leads(b));
  }
  expect(wereBothLeading).toBe(false);
  expect(await leads(b)).toBe(true);
  expect(a.receiver.received).toEqual([]);
});

test("while a server of the version before leads, none of this version does, and it gets no lock from one that leads", async () => {
  const url = await aMigratedUrl();
  // It leads as long as its session has the lock and its lease is extended.
  const old = await aConnection(url);
  await old.query(`set application_name = 'kuromajutsu lease srv-old'`);
  await old.query(`insert into servers (id, epoch, seen, started_at, details)
    values ('srv-old', 1, now(), now(), '{"host":"h","pid":1,"version":"1","url":null,"configHash":""}')`);
  const tryLock = async (): Promise<boolean> =>
    (await old.query(`select pg_try_advisory_lock(${LEADER_LOCK}) as is_held`)).rows[0].is_held;
  expect(await tryLock()).toBe(true);
  const beats = setInterval(
    () => void old.query("update servers set seen = now() where id = 'srv-old'").catch(() => {}),
    500,
  );
  const a = await aServer(url);
  await sleep(2 * LEASE_MS);
  expect(await leads(a)).toBe(false);
  expect(await leadersAt(a)).toEqual(["srv-old"]);

  // Its host is gone, but PostgreSQL keeps the session.
  clearInterval(beats);
  await until(() => leads(a), undefined, LEADS_AFTER_MS);
  await old.query(`select pg_advisory_unlock(${LEADER_LOCK})`);
  await sleep(LEASE_MS);
  expect(await tryLock()).toBe(false);
  expect(await leads(a)).toBe(true);
});
