import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aBalancer } from "../../kit/postgres/balancer.ts";
import { aCutProxy } from "../../kit/postgres/cut-proxy.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";
import { withMore } from "../../kit/rounds.ts";

vi.setConfig({ testTimeout: 300_000 });

const CONFIG = {
  ...SETTINGS,
  server: { slots: 0 },
  roles: [{ id: "impl-code", onLost: "requeue" }],
};
const LABELS = ["repo:app"];
const HANG = { prompt: "#rehearsal hang", labels: LABELS };
const OTHER_LABELS = ["repo:other"];
const OPTIONS = { name: "build-1", labels: LABELS };

/** How many attempts of an agent have a process now. */
function attemptsAlive(agentId: string): number {
  const marks = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).map(({ environment }) =>
    environment.find((entry) => entry.startsWith("KUROMAJUTSU_AGENT_TOKEN=")),
  );
  return new Set(marks).size;
}

/** The largest number of attempts that were alive at the same time. */
function watchAttempts(agentId: string) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, attemptsAlive(agentId));
  }, 200);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Two servers, each with a connection of its own to the database that can be cut. */
async function twoServers() {
  const url = await aMigratedUrl();
  const proxies = [await aCutProxy(url), await aCutProxy(url)] as const;
  const a = await aServer(proxies[0].url, CONFIG);
  const b = await aServer(proxies[1].url, CONFIG);
  return { url, a, b, proxies };
}

const serverOf = async (url: string, workerId: string) =>
  (await rowsOf(url, `select server_id from workers where id = '${workerId}'`))[0]?.["server_id"];

test.each(withMore(["knows both servers"], ["is behind a balancer"]))(
  "a worker that %s leaves the one that alone has lost PostgreSQL, and its agents go on once",
  async (how) => {
    const { url, a, b, proxies } = await twoServers();
    const balancer = await aBalancer(() => [a.url, b.url]);
    const worker =
      how === "is behind a balancer"
        ? await aWorker(balancer, OPTIONS)
        : await aWorker(a, { ...OPTIONS, others: [b] });
    const isAtA = (await serverOf(url, worker.id)) === a.id;
    const [own, other] = isAtA ? [a, b] : [b, a];
    const { agentIds } = await running(other, [HANG]);
    const [agentId = ""] = agentIds;
    const mostAlive = watchAttempts(agentId);
    // Another host that would run the agent again.
    await aWorker(other, { ...OPTIONS, name: "build-2" });
    await sleep(2 * LEASE_MS);

    proxies[isAtA ? 0 : 1].cut();
    await sleep(4 * LEASE_MS);

    expect(mostAlive()).toBe(1);
    expect(await serverOf(url, worker.id)).toBe(other.id);
    expect(isAlive(agentId)).toBe(true);
    expect(await agentRows(url)).toMatchObject([
      { status: "running", attempt: 1, worker_id: worker.id },
    ]);
    await other.main.call("cancel_agent", { agentId });
    await until(() => !isAlive(agentId));
    expect(own.daemon.process.exitCode).toBe(null);
  },
);

test.each(withMore([], ["stall", "cut"] as const))(
  "PostgreSQL is away for longer than the lease for all servers (%s): agents of workers go on, once",
  async (kind) => {
    const { url, a, b, proxies } = await twoServers();
    const balancer = await aBalancer(() => [a.url, b.url]);
    await aWorker(a, { ...OPTIONS, others: [b] });
    await aWorker(balancer, { name: "build-2", labels: OTHER_LABELS });
    await aWorker(b, { name: "build-3", labels: ["repo:third"] });
    const report = `#rehearsal sleep ${2 * LEASE_MS}\n#rehearsal report success done`;
    const { agentIds } = await running(a, [
      HANG,
      { ...HANG, labels: OTHER_LABELS },
      { ...HANG, labels: ["repo:third"] },
      { ...HANG, labels: OTHER_LABELS, prompt: report },
    ]);
    const hanging = agentIds.slice(0, 3);

    for (const proxy of proxies) proxy[kind]();
    await sleep(3 * LEASE_MS);
    expect(hanging.map(isAlive)).toEqual([true, true, true]);
    for (const proxy of proxies) proxy.restore();
    await sleep(3 * LEASE_MS);

    expect(hanging.map(isAlive)).toEqual([true, true, true]);
    expect(await waitForAll(b.main, agentIds.slice(3))).toMatchObject({ pending: [] });
    const goesOn = { status: "running", attempt: 1 };
    expect(await agentRows(url)).toMatchObject([
      goesOn,
      goesOn,
      goesOn,
      { status: "resultReported", attempt: 1 },
    ]);
  },
);
