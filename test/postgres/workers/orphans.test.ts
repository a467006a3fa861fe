import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { statusOf } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aServer, isAlive, LEASE_MS, running } from "../../kit/postgres/servers.ts";
import { aWorker, startWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";
import { sharedByTests } from "../../kit/when-done.ts";

/** The lease, the time for an adoption, the stop ladder, and a busy machine. */
const ENDED_WITHIN_MS = LEASE_MS + 5_000 + 10_000;

const theServer = sharedByTests(async () => aServer(await aMigratedUrl()));

let builds = 0;

async function aHangingAgent() {
  const server = await theServer();
  const name = `build-${++builds}`;
  const options = { name, labels: [`repo:${name}`] };
  const worker = await aWorker(server, options);
  const { agentIds } = await running(server, [
    { prompt: "#rehearsal hang", labels: options.labels },
  ]);
  return { server, options, worker, agentId: agentIds[0] ?? "" };
}

/** Every process that a worker of this place has started. */
const startedIn = (runtimeDir: string | undefined) =>
  processesWith(`KUROMAJUTSU_SOCKET=${runtimeDir}`);

test("the agents of a worker that is killed and not started again end by themselves", async () => {
  const { server, worker, agentId } = await aHangingAgent();

  await worker.kill("SIGKILL");
  await sleep(LEASE_MS);
  expect(isAlive(agentId)).toBe(true);

  await until(() => !isAlive(agentId), undefined, ENDED_WITHIN_MS);
  await until(async () => (await statusOf(server.main, agentId)).status === "lost");
  expect(startedIn(worker.place.env["XDG_RUNTIME_DIR"])).toEqual([]);
});

test("the agents of a worker that is killed and started again in time go on", async () => {
  const { server, options, worker, agentId } = await aHangingAgent();

  await worker.kill("SIGKILL");
  await startWorker(server, worker.place, worker.id, options);
  await sleep(ENDED_WITHIN_MS);

  expect(isAlive(agentId)).toBe(true);
  expect((await statusOf(server.main, agentId)).status).toBe("running");
});

test("the agents of a worker that is stopped on purpose go on without it", async () => {
  const { worker, agentId } = await aHangingAgent();

  worker.process.kill("SIGTERM");
  await until(() => worker.place.log().includes("Taking no more agents"));
  worker.process.kill("SIGTERM");
  const askedAt = performance.now();
  expect(await worker.exited).toBe(0);
  // A launcher that does not end at once is killed after 5 seconds.
  expect(performance.now() - askedAt).toBeLessThan(4_500);
  await sleep(ENDED_WITHIN_MS);

  expect(isAlive(agentId)).toBe(true);
});
