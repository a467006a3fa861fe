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

test("two servers together never run more agents than maxConcurrent, and both take part", async () => {
  const MAX = 3;
  const url = await aMigratedUrl();
  const config = { ...SETTINGS, agent: { ...SETTINGS.agent, maxConcurrent: MAX } };
  const servers = [await aServer(url, config), await aServer(url, config)];
  const client = await aConnection(url);
  const most = { rows: 0, processes: 0 };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      const { rows } = await client.query(
        "select count(*)::int as live from agents where process in ('starting', 'alive')",
      );
      most.rows = Math.max(most.rows, Number(rows[0]?.live));
      const homes = servers.map(
        ({ place }) => `KUROMAJUTSU_SOCKET=${place.env["XDG_RUNTIME_DIR"]}`,
      );
      const ids = homes.flatMap((home) =>
        processesWith(home).flatMap(({ environment }) =>
          environment.filter((entry) => entry.startsWith("KUROMAJUTSU_AGENT_ID=")),
        ),
      );
      most.processes = Math.max(most.processes, new Set(ids).size);
      await sleep(5);
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
  const [first] = servers;
  if (!first) throw new Error("no server");
  for (const ids of all) await waitForAll(first.main, ids);
  done.abort();
  await watching;

  expect(most.rows).toBe(MAX);
  expect(most.processes).toBeLessThanOrEqual(MAX);
  const rows = await agentRows(url);
  expect(rows.map(({ attempt, process }) => [attempt, process])).toEqual(
    rows.map(() => [1, "ended"]),
  );
  expect(new Set(rows.map(({ worker_id }) => worker_id)).size).toBe(2);
});

test("two servers together never run more agents with a label than its limit, and others go on", async () => {
  const MAX = 2;
  const url = await aMigratedUrl();
  const config = {
    ...SETTINGS,
    server: { labels: ["gpu"] },
    agent: { ...SETTINGS.agent, maxConcurrent: 6, limits: { gpu: MAX } },
  };
  const servers = [await aServer(url, config), await aServer(url, config)];
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
      await sleep(5);
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

  expect(most.gpu).toBe(MAX);
  expect(most.others).toBeGreaterThan(MAX);
  const rows = await agentRows(url);
  expect(rows.map(({ attempt, process }) => [attempt, process])).toEqual(
    rows.map(() => [1, "ended"]),
  );
  const hosts = await rowsOf(url, "select distinct worker_id from agents where labels <> '[]'");
  expect(hosts).toHaveLength(2);
});

test("the same idempotency key at two servers at once creates one group, and both get the same answer", async () => {
  const url = await aMigratedUrl();
  const servers = [await aServer(url), await aServer(url)];
  const TIMES = rounds({ all: 200, few: 40 });

  for (let round = 0; round < TIMES; round++) {
    const headers = { "idempotency-key": `key ${round}` };
    const answers = await Promise.all(
      servers.map((server) =>
        ask(server, "POST", "/api/groups", { json: { description: `${round}` }, headers }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(201);
  }

  expect(await rowsOf(url, "select id from groups")).toHaveLength(TIMES);
  const events = await rowsOf(url, "select seq from events where type = 'group:created'");
  expect(events).toHaveLength(TIMES);
  for (const { place } of servers) expect(place.log()).not.toContain("ERROR");
});

test("cancelling an agent and stopping a group through one server ends processes of another", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const one = await running(a, [{ prompt: "#rehearsal hang" }]);
  const two = await running(a, [{ prompt: "#rehearsal hang" }, { prompt: "#rehearsal hang" }]);
  const b = await aServer(url);
  const [agentId = ""] = one.agentIds;

  const cancelled = await ask(b, "POST", `/api/agents/${agentId}/cancel`);
  const stopped = await ask(b, "POST", `/api/groups/${two.groupId}/stop`);

  expect([cancelled, stopped]).toMatchObject([{ status: 202 }, { status: 202 }]);
  const all = [...one.agentIds, ...two.agentIds];
  await until(() => all.every((id) => !isAlive(id)), undefined, 30_000);
  await until(async () =>
    (await agentRows(url)).every(
      ({ status, process }) => `${status} ${process}` === "cancelled ended",
    ),
  );
  expect((await agentRows(url)).map(({ worker_id }) => worker_id)).toEqual(all.map(() => a.id));
});
