import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aGroup, runAll, statusOf, waitForAll } from "../../kit/agents.ts";
import { anHttpClient, until } from "../../kit/daemon.ts";
import { aGate } from "../../kit/gate.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
  startAgain,
} from "../../kit/postgres/servers.ts";
import { aSwitch } from "../../kit/postgres/switch.ts";
import { PASSWORD } from "../../kit/postgres/urls.ts";
import { aWorker, aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";
import { withMore } from "../../kit/rounds.ts";
import { fill, mountSmall } from "../../kit/small-disk.ts";
import { aRequest, aStory, hasAnswered, isAtRest, lastAttempt, writesOf } from "../../kit/story.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };
const DAY_MS = 86_400_000;
const SHIFTED_CLOCK = fileURLToPath(new URL("../../kit/shifted-clock.mjs", import.meta.url));

/** Each test has its own worker there, and looks only at its own agents. */
const theServer = sharedByTests(async () => {
  const url = await aMigratedUrl();
  const story = await aStory(ONLY_WORKERS, { place: aPlaceOn(url) });
  const main = await anHttpClient(story.url());
  return { database: url, story, url: story.url(), main, place: story.place };
});

let builds = 0;

/** A name and a label for a worker of one test. */
function aBuild() {
  const name = `build-${++builds}`;
  return { name, labels: [name] };
}

/** Everything that a process of the same user can read of the worker, without its token file. */
function readableFiles(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => path !== join(dir, "token") && statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

test("an agent on a worker finds neither the password of the database nor the token of the worker", async () => {
  const server = await theServer();
  const build = aBuild();
  const { id, place } = await aWorkerPlace(server, build.name);
  const token = readFileSync(join(place.dir, "token"), "utf8").trim();
  // A machine whose environment has more than the worker needs.
  Object.assign(place.env, {
    KUROMAJUTSU_DATABASE_URL: server.database,
    KUROMAJUTSU_WORKER_TOKEN: token,
  });
  const worker = await startWorker(server, place, id, build);
  const { agentIds } = await running(server, [{ prompt: "#rehearsal hang", labels: build.labels }]);

  const processes = processesWith(`KUROMAJUTSU_AGENT_ID=${agentIds[0]}`);
  expect(processes.length).toBeGreaterThan(0);
  const seen = [
    ...processes.map(({ environment }) => environment.join("\n")),
    ...[worker.pid, ...processes.map(({ pid }) => pid)].map((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8"),
    ),
    readableFiles(place.dir),
    server.place.log(),
  ].join("\n");
  expect(seen).toContain(agentIds[0]);
  for (const secret of [token, PASSWORD, encodeURIComponent(PASSWORD)]) {
    expect(seen.includes(secret)).toBe(false);
  }
});

test.for(withMore([-DAY_MS], [DAY_MS]))(
  "agents run normally on a worker whose clock is wrong by %i ms",
  async (shiftMs) => {
    const server = await theServer();
    const { labels, name } = aBuild();
    const { id, place } = await aWorkerPlace(server, name);
    Object.assign(place.env, {
      NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
      SHIFTED_CLOCK_MS: String(shiftMs),
    });
    const worker = await startWorker(server, place, id, { name, labels });
    const limited = { prompt: "#rehearsal hang", timeout_ms: 6_000, labels };
    const { groupId, agentIds } = await running(server, [
      { prompt: "#rehearsal sleep 2000", timeout_ms: 60_000, labels },
      limited,
    ]);
    const [short = "", hanging = ""] = agentIds;
    await sleep(2 * LEASE_MS - 2_000);
    expect(isAlive(hanging)).toBe(true);

    expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });
    const rows = await rowsOf(
      server.database,
      `select id, status, worker_id from agents where group_id = '${groupId}' order by seq`,
    );
    expect(rows.map((row) => [row["id"], row["status"], row["worker_id"]])).toEqual([
      [short, "resultReported", worker.id],
      [hanging, "timedOut", worker.id],
    ]);
    const ends = await rowsOf(
      server.database,
      `select (data::json->>'duration_ms')::float8 as ms from events
        where type = 'agent:completed' and group_id = '${groupId}' order by seq`,
    );
    expect(ends).toHaveLength(2);
    for (const { ms } of ends) {
      expect(Number(ms)).toBeGreaterThan(1_000);
      expect(Number(ms)).toBeLessThan(60_000);
    }
    expect(place.log()).not.toContain("took for lost");
  },
);

test("an agent that its worker ended without a server is lost, also if the lease is still held", async () => {
  const url = await aMigratedUrl();
  const first = await aServer(url, ONLY_WORKERS);
  const balancer = await aSwitch(first.url);
  await aWorker(balancer, { name: "build-1" });
  const { agentIds } = await running(first, [{ prompt: "#rehearsal hang" }]);

  await first.daemon.kill("SIGKILL");
  await until(() => agentIds.every((id) => !isAlive(id)), undefined, LEASE_MS + 15_000);
  // As if the server had died after a beat, before it could answer.
  await rowsOf(url, "update workers set seen = now() + interval '20 seconds'");
  balancer.use((await startAgain(first.place)).url);

  await until(async () => (await agentRows(url)).every(({ process }) => process === "ended"));
  expect(await agentRows(url)).toMatchObject([{ status: "lost", attempt: 1 }]);
});

test("an executor on a worker whose task is blocked stops at its next call, and writes nothing", async () => {
  const server = await theServer();
  const { story, database } = server;
  await story.clear();
  const worker = await aWorker(server, aBuild());
  const gate = aGate(worker.place);
  const taskId = await story.start(aRequest(`before step-2 ${gate.waits}`));
  const { agentId } = lastAttempt(
    await story.reach(taskId, (task) => hasAnswered(task, "list_notes")),
  );

  const changed = await story.change(taskId, "blocked");
  expect(changed.stopping).toEqual([agentId]);
  gate.open();

  const blocked = await story.reach(
    taskId,
    (task) => lastAttempt(task).status === "blocked" && isAtRest(task),
  );
  expect(blocked.status).toBe("blocked");
  const live = `select id from agents where task_id = '${taskId}' and process <> 'ended'`;
  await until(async () => (await rowsOf(database, live)).length === 0);
  await until(() => !isAlive(agentId ?? ""));
  expect(writesOf(story)).toBe(0);
  const rows = await rowsOf(
    database,
    `select worker_id, exit_code from agents where id = '${agentId}'`,
  );
  expect(rows).toEqual([{ worker_id: worker.id, exit_code: "0" }]);
});

test("a worker with a full disk goes on, and its agents run again when there is space", async ({
  skip,
}) => {
  const server = await theServer();
  const { name, labels } = aBuild();
  const { id, place } = await aWorkerPlace(server, name);
  const data = join(place.dir, "worker");
  if (!mountSmall(data)) skip("no permission to mount a small file system");
  const worker = await startWorker(server, place, id, { name, labels });
  const { main } = server;
  const groupId = await aGroup(main);
  const short = { prompt: "#rehearsal sleep 50", labels };
  await waitForAll(main, await runAll(main, groupId, [short]));

  const filler = join(data, "filler");
  fill(filler);
  const [refused = ""] = await runAll(main, groupId, [short]);
  await until(async () => (await statusOf(main, refused)).result !== null);
  expect((await statusOf(main, refused)).result).toMatchObject({
    status: "failure",
    errorMessage: expect.stringMatching(/ENOSPC|no space/i),
  });
  writeFileSync(filler, "");

  const again = await runAll(main, groupId, [short]);
  expect(await waitForAll(main, again)).toMatchObject({ pending: [] });
  expect((await statusOf(main, again[0] ?? "")).status).toBe("resultReported");
  expect(worker.process.exitCode).toBe(null);
});
