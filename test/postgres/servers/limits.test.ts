import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  aConnection,
  agentRows,
  ask,
  aServer,
  isAlive,
  rowsOf,
  running,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { processesWith } from "../../kit/processes.ts";
import { rounds } from "../../kit/rounds.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const MAX = 5;
const MAX_GPU = 2;
/** An agent runs too long to be missed by looks that are this far apart. */
const LOOK_EVERY_MS = 20;

/** Two servers with these limits. Each test looks only at its own agents; the first has a label more. */
const theServers = sharedByTests(async () => {
  const url = await aMigratedUrl();
  const start = (labels: readonly string[]) =>
    aServer(url, {
      ...SETTINGS,
      // One server alone cannot run as many as all together may.
      server: { labels, slots: MAX - 1 },
      agent: { ...SETTINGS.agent, maxConcurrent: MAX, limits: { gpu: MAX_GPU } },
    });
  const a = await start(["gpu", "first"]);
  const b = await start(["gpu"]);
  return { url, a, b, servers: [a, b] };
});

/** The rows of these agents, in the order of their start. */
async function rowsOfAgents(url: string, agentIds: readonly string[]) {
  return (await agentRows(url)).filter(({ id }) => agentIds.includes(id));
}

test("two servers together never run more agents than maxConcurrent, and both take part", async () => {
  const { url, a, servers } = await theServers();
  const client = await aConnection(url);
  const homes = servers.map(({ place }) => `KUROMAJUTSU_SOCKET=${place.env["XDG_RUNTIME_DIR"]}`);
  const most = { rows: 0, processes: 0 };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      const { rows } = await client.query(
        "select count(*)::int as live from agents where process in ('starting', 'alive')",
      );
      most.rows = Math.max(most.rows, Number(rows[0]?.live));
      const ids = processesWith("KUROMAJUTSU_AGENT_ID=")
        .filter(({ environment }) =>
          environment.some((entry) => homes.some((home) => entry.startsWith(home))),
        )
        .flatMap(({ environment }) =>
          environment.filter((entry) => entry.startsWith("KUROMAJUTSU_AGENT_ID=")),
        );
      most.processes = Math.max(most.processes, new Set(ids).size);
      await sleep(LOOK_EVERY_MS);
    }
  })();

  const perServer = rounds({ all: 100, few: 8 });
  const all = await Promise.all(
    servers.map(async ({ main }) => {
      const groupId = await aGroup(main);
      const specs = Array.from({ length: perServer }, () => ({ prompt: "#rehearsal sleep 50" }));
      return runAll(main, groupId, specs);
    }),
  );
  for (const ids of all) await waitForAll(a.main, ids);
  done.abort();
  await watching;

  expect(most.rows).toBe(MAX);
  expect(most.processes).toBeLessThanOrEqual(MAX);
  const rows = await rowsOfAgents(url, all.flat());
  expect(rows.map(({ attempt, process }) => [attempt, process])).toEqual(
    all.flat().map(() => [1, "ended"]),
  );
  expect(new Set(rows.map(({ worker_id }) => worker_id)).size).toBe(2);
});

test("two servers together never run more agents with a label than its limit, and others go on", async () => {
  const { url, servers } = await theServers();
  const client = await aConnection(url);
  const most = { gpu: 0, others: 0 };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      const { rows } = await client.query(
        `select count(*) filter (where labels <> '[]')::int as gpu,
            count(*) filter (where labels = '[]')::int as others
          from agents where process in ('starting', 'alive')`,
      );
      most.gpu = Math.max(most.gpu, Number(rows[0]?.gpu));
      most.others = Math.max(most.others, Number(rows[0]?.others));
      await sleep(LOOK_EVERY_MS);
    }
  })();

  const perServer = rounds({ all: 60, few: 8 });
  const all = await Promise.all(
    servers.map(async ({ main }) => {
      const groupId = await aGroup(main);
      const specs = Array.from({ length: perServer }, (_, index) => ({
        prompt: "#rehearsal sleep 50",
        labels: index % 2 === 0 ? ["gpu"] : [],
      }));
      return runAll(main, groupId, specs);
    }),
  );
  for (const [index, ids] of all.entries()) {
    const server = servers[index];
    if (server) await waitForAll(server.main, ids);
  }
  done.abort();
  await watching;

  expect(most.gpu).toBe(MAX_GPU);
  expect(most.others).toBeGreaterThan(MAX_GPU);
  const rows = await rowsOfAgents(url, all.flat());
  expect(rows.map(({ attempt, process }) => [attempt, process])).toEqual(
    all.flat().map(() => [1, "ended"]),
  );
  const hosts = await rowsOf(url, `select distinct worker_id from agents where labels = '["gpu"]'`);
  expect(hosts).toHaveLength(2);
});

test("the same idempotency key at two servers at once creates one group, and both get the same answer", async () => {
  const { url, servers } = await theServers();
  const logged = servers.map(({ place }) => place.log().length);
  const TIMES = rounds({ all: 200, few: 40 });

  for (let round = 0; round < TIMES; round++) {
    const headers = { "idempotency-key": `key ${round}` };
    const answers = await Promise.all(
      servers.map((server) =>
        ask(server, "POST", "/api/groups", { json: { description: `once ${round}` }, headers }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(201);
  }

  expect(await rowsOf(url, "select id from groups where description like 'once %'")).toHaveLength(
    TIMES,
  );
  const events = await rowsOf(
    url,
    "select events.seq from events join groups on groups.id = events.group_id where type = 'group:created' and description like 'once %'",
  );
  expect(events).toHaveLength(TIMES);
  for (const [index, { place }] of servers.entries()) {
    expect(place.log().slice(logged[index])).not.toContain("ERROR");
  }
});

test("cancelling an agent and stopping a group through one server ends processes of another", async () => {
  const { url, a, b } = await theServers();
  const hanging = { prompt: "#rehearsal hang", labels: ["first"] };
  const one = await running(a, [hanging]);
  const two = await running(a, [hanging, hanging]);
  const [agentId = ""] = one.agentIds;

  const cancelled = await ask(b, "POST", `/api/agents/${agentId}/cancel`);
  const stopped = await ask(b, "POST", `/api/groups/${two.groupId}/stop`);

  expect([cancelled, stopped]).toMatchObject([{ status: 202 }, { status: 202 }]);
  const all = [...one.agentIds, ...two.agentIds];
  await until(() => all.every((id) => !isAlive(id)), undefined, 30_000);
  await until(async () =>
    (await rowsOfAgents(url, all)).every(
      ({ status, process }) => `${status} ${process}` === "cancelled ended",
    ),
  );
  expect((await rowsOfAgents(url, all)).map(({ worker_id }) => worker_id)).toEqual(
    all.map(() => a.id),
  );
});
