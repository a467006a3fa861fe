import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../../kit/agents.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  aConnection,
  agentRows,
  aServer,
  SETTINGS,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { rounds } from "../../kit/rounds.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const WORKERS = rounds({ all: 8, few: 3 });
const AGENTS_PER_SERVER = rounds({ all: 500, few: 9 });
const ALL_AGENTS_MS = 1_800_000;
/** wait_agent takes at most this many ids. */
const MAX_WAITED = 500;
const GPU = ["gpu"];

const MAX = 5;
const MAX_GPU = 2;
/** An agent runs too long to be missed by looks that are this far apart. */
const LOOK_EVERY_MS = 20;

/** Two servers that run no agents themselves, and workers that are connected to both. */
const manyWorkers = sharedByTests(async () => {
  const url = await aMigratedUrl();
  const agent = { ...SETTINGS.agent, maxConcurrent: MAX, limits: { gpu: MAX_GPU } };
  const config = { ...SETTINGS, server: { slots: 0 }, agent };
  const servers = [await aServer(url, config), await aServer(url, config)];
  const connecting = Array.from({ length: WORKERS }, (_, index) => {
    const server = servers[index % servers.length];
    if (!server) throw new Error("no server");
    // One worker alone cannot run as many as all together may.
    return aWorker(server, { name: `build-${index}`, labels: GPU, slots: MAX - 1 });
  });
  await Promise.all(connecting);
  return { url, servers };
});

/** The highest answers of this query until the agents of both servers have ended. */
async function mostWhile(
  url: string,
  servers: readonly TestServer[],
  labelsOf: (index: number) => readonly string[],
): Promise<{ readonly all: number; readonly gpu: number; readonly hosts: number }> {
  const client = await aConnection(url);
  const most = { all: 0, gpu: 0 };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      const { rows } = await client.query(
        `select count(*)::int as all, count(*) filter (where labels <> '[]')::int as gpu
          from agents where process in ('starting', 'alive')`,
      );
      most.all = Math.max(most.all, Number(rows[0]?.all));
      most.gpu = Math.max(most.gpu, Number(rows[0]?.gpu));
      await sleep(LOOK_EVERY_MS);
    }
  })();
  const all = await Promise.all(
    servers.map(async ({ main }) => {
      const specs = Array.from({ length: AGENTS_PER_SERVER }, (_, index) => ({
        prompt: "#rehearsal sleep 50",
        labels: labelsOf(index),
      }));
      const ids = await runAll(main, await aGroup(main), specs);
      for (let from = 0; from < ids.length; from += MAX_WAITED) {
        await waitForAll(main, ids.slice(from, from + MAX_WAITED));
      }
      return ids;
    }),
  );
  done.abort();
  await watching;
  const own = new Set(all.flat());
  const rows = (await agentRows(url)).filter(({ id }) => own.has(id));
  expect(rows).toHaveLength(servers.length * AGENTS_PER_SERVER);
  expect(rows.map(({ attempt, process }) => [attempt, process])).toEqual(
    rows.map(() => [1, "ended"]),
  );
  return { ...most, hosts: new Set(rows.map(({ worker_id }) => worker_id)).size };
}

test(
  "workers of two servers together never run more agents than maxConcurrent",
  { timeout: ALL_AGENTS_MS },
  async () => {
    const { url, servers } = await manyWorkers();
    const most = await mostWhile(url, servers, () => []);
    expect(most.all).toBe(MAX);
    expect(most.hosts).toBeGreaterThan(1);
  },
);

test(
  "workers of two servers together never run more agents with a label than its limit",
  { timeout: ALL_AGENTS_MS },
  async () => {
    const { url, servers } = await manyWorkers();
    const most = await mostWhile(url, servers, (index) => (index % 2 === 0 ? GPU : []));
    expect(most.gpu).toBe(MAX_GPU);
    expect(most.all).toBeGreaterThan(MAX_GPU);
  },
);
