import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { statusOf } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import { aServer, isAlive, LEASE_MS, running, SETTINGS } from "../../kit/postgres/servers.ts";
import { aSwitch } from "../../kit/postgres/switch.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { aRequest, aStory, hasLive, lastAttempt, LONG_MS, type Story } from "../../kit/story.ts";
import { sharedByTests } from "../../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

/** Long enough to cut the connection of the worker before. */
const LIMIT_MS = 6_000;
/** The stop ladder of the worker, and a busy machine. */
const STOPPED_WITHIN_MS = LIMIT_MS + 10_000;
const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };

const bothServers = sharedByTests(async () => {
  const url = await aMigratedUrl();
  return { a: await aServer(url, ONLY_WORKERS), b: await aServer(url, ONLY_WORKERS) };
});

let builds = 0;

/** A worker of the first server, and an agent with a time limit that runs nowhere else. */
async function anAgentWithLimit() {
  const { a, b } = await bothServers();
  const name = `build-${++builds}`;
  const labels = [`repo:${name}`];
  const balancer = await aSwitch(a.url);
  const worker = await aWorker(balancer, { name, labels });
  const hang = { prompt: "#rehearsal hang", labels, timeout_ms: LIMIT_MS };
  const { agentIds } = await running(a, [hang]);
  const [agentId = ""] = agentIds;
  return {
    a,
    b,
    worker,
    agentId,
    /** The connection is cut; the next one leads to this server. */
    moveTo: async ({ url }: { readonly url: string }): Promise<void> => {
      const before = connections(worker);
      balancer.use(url);
      await until(() => connections(worker) > before);
    },
  };
}

const connections = ({ place }: Awaited<ReturnType<typeof aWorker>>): number =>
  place.log().split("Connected.").length;

test("an agent is ended at its time limit although its worker has connected again to the same server", async () => {
  const { a, b, agentId, worker, moveTo } = await anAgentWithLimit();

  await moveTo(a);
  await moveTo(a);
  expect(isAlive(agentId)).toBe(true);

  await until(() => !isAlive(agentId), undefined, STOPPED_WITHIN_MS);
  await until(async () => (await statusOf(b.main, agentId)).status === "timedOut");
  expect(worker.place.log()).not.toContain("No server was reached");
  expect(a.place.log()).not.toContain("could not be stopped yet");
});

test("an agent is ended at its time limit by the server that its worker has moved to", async () => {
  const { a, b, agentId, moveTo } = await anAgentWithLimit();

  await moveTo(b);
  expect(isAlive(agentId)).toBe(true);

  await until(() => !isAlive(agentId), undefined, STOPPED_WITHIN_MS);
  await until(async () => (await statusOf(a.main, agentId)).status === "timedOut");
});

test("an agent is ended at its time limit although its worker was elsewhere and came back", async () => {
  const { a, b, agentId, moveTo } = await anAgentWithLimit();

  await moveTo(b);
  await moveTo(a);
  expect(isAlive(agentId)).toBe(true);

  await until(() => !isAlive(agentId), undefined, STOPPED_WITHIN_MS);
  await until(async () => (await statusOf(b.main, agentId)).status === "timedOut");
});

const HARD_STOP_MS = 5_000;

test("a blocked agent is hard-stopped although the server that blocked it has died and its worker has connected again", async () => {
  const url = await aMigratedUrl();
  const config = { ...ONLY_WORKERS, interrupt: { hardStopAfter_ms: HARD_STOP_MS } };
  const start = (): Promise<Story> => aStory(config, { place: aPlaceOn(url) });
  const a = await start();
  const b = await start();
  const balancer = await aSwitch(a.url());
  const worker = await aWorker(balancer, { name: "build" });
  const taskId = await a.start(aRequest("first in executor hang"));
  const agentId = lastAttempt(await a.reach(taskId, hasLive)).agentId ?? "";

  // Both servers watch the hard stop: the one that blocks, and that of the worker by an event.
  await b.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked" });
  await sleep(1_000);
  await b.end("SIGKILL");
  const before = connections(worker);
  balancer.use(a.url());
  await until(() => connections(worker) > before);
  expect(isAlive(agentId)).toBe(true);

  await until(() => !isAlive(agentId), undefined, HARD_STOP_MS + 2 * LEASE_MS + 10_000);
  expect(await a.audit()).toContainEqual(
    expect.objectContaining({ action: "agent.hard_stopped", subject: agentId }),
  );
});
