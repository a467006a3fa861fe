import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { WORKER_PATH, WORKER_PROTOCOL } from "../../../src/contract/workers/messages.ts";
import { aDaemon, aPlace, command, type Place, until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { hostRows, leftBehind } from "../../kit/postgres/left-behind.ts";
import {
  ask,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { aWorker, aWorkerPlace, refusedWorker, startWorker } from "../../kit/postgres/workers.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const auditShape = z.object({
  entries: z.array(z.looseObject({ action: z.string(), subject: z.string() })),
});

/** Each test has its own worker there. */
const theServer = sharedByTests(async () => {
  const database = await aMigratedUrl();
  return { ...(await aServer(database)), database };
});

/** The data directory of `refusedWorker`. */
const dataDirOf = ({ dir }: Place) => join(dir, "worker");

test("a worker with a wrong token or with labels that its token does not allow is refused", async () => {
  const server = await theServer();

  const wrong = aPlace({ LANG: "en_US.UTF-8" });
  writeFileSync(join(wrong.dir, "token"), `kmw_${"x".repeat(43)}`);
  const before = await hostRows(server.database);
  const unknown = await refusedWorker(server, wrong);
  expect(leftBehind(wrong, dataDirOf(wrong))).toEqual([]);
  expect(await hostRows(server.database)).toEqual(before);
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining("does not know the token of this worker"),
  ]);
  expect(unknown.stderr).not.toContain("xxxx");

  const bound = await ask(server, "POST", "/api/workers", {
    json: { name: "bound", labels: ["repo:app"] },
  });
  writeFileSync(join(wrong.dir, "token"), String(bound.body["token"]));
  const labelled = await refusedWorker(server, wrong, { labels: ["gpu"] });
  expect([labelled.code, labelled.stderr]).toEqual([
    1,
    expect.stringMatching(/may not have the label gpu.*repo:app/s),
  ]);
  expect(leftBehind(wrong, dataDirOf(wrong))).toEqual([]);
  const added = { kind: "worker", id: bound.body["workerId"], epoch: 0 };
  expect(await hostRows(server.database)).toEqual([...before, added]);
});

test("the same token in another data directory is refused while the first one is connected", async () => {
  const server = await theServer();
  const { id, place } = await aWorkerPlace(server, "build-1");
  await startWorker(server, place, id, { name: "build-1" });
  const before = await hostRows(server.database);

  const elsewhere = aPlace({ LANG: "en_US.UTF-8" });
  const args = ["worker", "--server", server.url, "--token-file", join(place.dir, "token")];
  const second = await command(elsewhere, [...args, "--data", join(elsewhere.dir, "other")]);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringMatching(/build-1 is connected already.*worker revoke build-1/s),
  ]);
  const same = await command(place, [...args, "--data", join(place.dir, "worker")]);
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining("Another process uses")]);
  expect(leftBehind(elsewhere, join(elsewhere.dir, "other"))).toEqual([]);
  // The first one has its socket, its lock and its processes, and goes on in the same epoch.
  expect(leftBehind(place, dataDirOf(place)).length).toBeGreaterThan(2);
  expect(await hostRows(server.database)).toEqual(before);
});

test("a hello that its worker no longer waits for does not take the worker from its server", async () => {
  const server = await theServer();
  const { id, place } = await aWorkerPlace(server, "build-9");
  const worker = await startWorker(server, place, id, { name: "build-9", labels: ["late"] });
  const { agentIds } = await running(server, [{ prompt: "#rehearsal hang", labels: ["late"] }]);
  const epoch = async () =>
    rowsOf(server.database, `select instance, epoch from workers where id = '${id}'`);
  const [before] = await epoch();
  const hello = {
    protocol: WORKER_PROTOCOL,
    instance: z.object({ instance: z.string() }).parse(before).instance,
    host: "host",
    pid: 1,
    version: "1",
    slots: 1,
    labels: ["late"],
    runners: [],
    isDraining: false,
  };
  const headers = {
    authorization: `Bearer ${readFileSync(join(place.dir, "token"), "utf8").trim()}`,
  };
  const late = new WebSocket(new URL(WORKER_PATH, server.url), { headers });
  await once(late, "open");
  late.send(JSON.stringify({ call: 1, name: "hello", args: hello }));
  // The server asks whether the worker is there, and this connection answers nothing.
  await once(late, "message");
  late.terminate();

  await sleep(LEASE_MS);
  expect(await epoch()).toEqual([before]);
  expect(agentIds.every(isAlive)).toBe(true);
  expect(worker.process.exitCode).toBe(null);
});

test("a revoked worker ends its agents, says why, and cannot come back", async () => {
  const server = await theServer();
  const worker = await aWorker(server, { name: "build-2", labels: ["gpu"] });
  const { agentIds } = await running(server, [{ prompt: "#rehearsal hang", labels: ["gpu"] }]);

  const listed = await command(server.place, ["worker", "list"]);
  expect(listed.stdout).toMatch(/build-2\s+connected\s+1\/10/);
  const revoked = await command(server.place, ["worker", "revoke", "build-2"]);
  expect([revoked.stderr, revoked.stdout]).toEqual([
    "",
    expect.stringContaining("Revoked worker build-2."),
  ]);

  expect(await worker.exited).toBe(1);
  expect(worker.place.log()).toContain("it may have been revoked");
  await until(() => agentIds.every((id) => !isAlive(id)));
  const again = await refusedWorker(server, worker.place);
  expect(again.code).toBe(1);
  expect(leftBehind(worker.place, dataDirOf(worker.place))).toEqual([]);
  const unknown = await command(server.place, ["worker", "revoke", "build-2"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining("There is no worker build-2."),
  ]);
  const { body } = await ask(server, "GET", "/api/audit?limit=50");
  const ofWorker = auditShape
    .parse(body)
    .entries.filter(({ subject }) => subject === worker.id)
    .map(({ action }) => action);
  expect(ofWorker).toEqual(["worker.revoked", "worker.added"]);
});

/** A worker whose agent ignores SIGTERM, and whose token was just revoked. */
async function aRevokedWorker(hardKillAfterMs: number) {
  const agent = { ...SETTINGS.agent, hardKillAfter_ms: hardKillAfterMs };
  const server = await aServer(await aMigratedUrl(), { ...SETTINGS, agent });
  const worker = await aWorker(server, { name: "build-1", labels: ["deaf"] });
  const prompt = "#rehearsal ignore-term\n#rehearsal hang";
  const { agentIds } = await running(server, [{ prompt, labels: ["deaf"] }]);
  await command(server.place, ["worker", "revoke", "build-1"]);
  await until(() => worker.place.log().includes("agents of this worker are ended"));
  return { worker, isOver: () => agentIds.every((id) => !isAlive(id)) };
}

test("a revoked worker that is stopped before its agents are killed leaves none of them behind", async () => {
  const { worker, isOver } = await aRevokedWorker(4_000);

  worker.process.kill("SIGTERM");

  expect(await worker.exited).toBe(1);
  expect(isOver()).toBe(false);
  await until(isOver, undefined, 20_000);
});

test.runIf(HAS_ALL_ROUNDS)(
  "a revoked worker waits until agents that ignore signals are killed, also if that takes long",
  async () => {
    const { worker, isOver } = await aRevokedWorker(18_000);

    expect(await worker.exited).toBe(1);
    expect(isOver()).toBe(true);
  },
);

test("bad options of a worker are refused with a sentence, and nothing is started", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const stderrOf = async (...args: string[]) => {
    const { code, stderr } = await command(place, ["worker", ...args]);
    return [code, stderr.split("\n")[0]];
  };
  writeFileSync(join(place.dir, "token"), "not a token");
  const token = ["--token-file", join(place.dir, "token")];

  expect(await stderrOf()).toEqual([1, expect.stringContaining("Name the server")]);
  expect(await stderrOf("--server", "kuro")).toEqual([
    1,
    expect.stringContaining("not an address"),
  ]);
  expect(await stderrOf("--server", "http://kuro.example.com", ...token)).toEqual([
    1,
    expect.stringContaining("Use https://"),
  ]);
  const here = ["--server", "http://127.0.0.1:9"];
  expect(await stderrOf(...here)).toEqual([1, expect.stringContaining("needs a token")]);
  expect(await stderrOf(...here, ...token)).toEqual([
    1,
    expect.stringContaining("does not contain a token"),
  ]);
  expect(await stderrOf(...here, "--token-file", join(place.dir, "none"))).toEqual([
    1,
    expect.stringContaining("cannot be read"),
  ]);
  expect(await stderrOf("--slots", "0")).toEqual([2, expect.stringContaining("1 to 10000")]);
  expect(await stderrOf("--label", "GPU!")).toEqual([2, expect.stringContaining("--label")]);
  expect(await stderrOf("--drain", "soon")).toEqual([2, expect.stringContaining("30s, 10m or 1h")]);
  expect(leftBehind(place, place.dataDir)).toEqual([]);
});

test("with SQLite there are no workers, and every door says what to do", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(SETTINGS));
  const daemon = await aDaemon(place);

  const added = await command(place, ["worker", "add", "build-1"]);
  expect([added.code, added.stderr]).toEqual([1, expect.stringContaining("store.url")]);
  expect((await ask(daemon, "GET", "/api/workers")).body).toEqual({ workers: [] });
  writeFileSync(join(place.dir, "token"), `kmw_${"x".repeat(43)}`);
  const refused = await refusedWorker(daemon, place);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("does not take workers"),
  ]);
});
