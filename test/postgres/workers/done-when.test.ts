import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { aGroup, runAll } from "../../kit/agents.ts";
import { command, until } from "../../kit/daemon.ts";
import { aPostgres, tcpUrl } from "../../kit/postgres/database.ts";
import { aFleet, at } from "../../kit/postgres/fleet.ts";
import { agentRows, ask, isAlive, LEASE_MS, rowsOf } from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";

const AGENTS = 100;
const LABELS = ["repo:app"];
const SETTLED_WITHIN_MS = 240_000;

test.skipIf(!HAS_ALL_ROUNDS)(
  "100 agents are settled although a server, a worker and PostgreSQL are killed in the middle",
  { timeout: 2 * SETTLED_WITHIN_MS },
  async () => {
    const postgres = await aPostgres();
    await migratePostgres(postgres.url);
    const url = tcpUrl(postgres.url);
    const fleet = await aFleet(url, {
      servers: 2,
      workers: 3,
      slots: 4,
      labels: LABELS,
      leaseMs: LEASE_MS,
    });
    const began = performance.now();
    const settled = async () => {
      const rows = await agentRows(url).catch(() => []);
      return rows.filter(({ process }) => process === "ended").length;
    };
    const untilSettled = (count: number) =>
      until(async () => (await settled()) >= count, undefined, SETTLED_WITHIN_MS);
    const { main } = at(fleet.servers, 1);
    const specs = Array.from({ length: AGENTS }, () => ({
      prompt: "#rehearsal sleep 300",
      labels: LABELS,
    }));
    const ids = await runAll(main, await aGroup(main), specs);

    await untilSettled(0.2 * AGENTS);
    await at(fleet.servers, 0).daemon.kill("SIGKILL");
    await fleet.restartServer(0);
    await untilSettled(0.4 * AGENTS);
    await at(fleet.workers, 0).kill("SIGKILL");
    await sleep(2 * LEASE_MS);
    await fleet.restartWorker(0);
    await untilSettled(0.6 * AGENTS);
    await postgres.kill9();
    await sleep(LEASE_MS / 2);
    await postgres.start();
    await untilSettled(AGENTS);
    const tookMs = performance.now() - began;

    const rows = await agentRows(url);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const ends = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
    expect(ends.map(({ agent_id }) => String(agent_id)).toSorted()).toEqual(ids.toSorted());
    const statuses = Map.groupBy(rows, ({ status }) => status);
    const lost = statuses.get("lost")?.length ?? 0;
    // Only those of the killed worker, which had four slots.
    expect(lost).toBeLessThanOrEqual(4);
    expect(statuses.get("resultReported")?.length).toBe(AGENTS - lost);
    for (const server of fleet.servers) {
      for (const { id, status } of rows) {
        expect((await ask(server, "GET", `/api/agents/${id}`)).body).toMatchObject({ status });
      }
      const verified = await command(server.place, ["audit", "verify"]);
      expect([verified.code, verified.stderr]).toEqual([0, ""]);
    }
    await until(() => ids.every((id) => !isAlive(id)));
    process.stderr.write(`${AGENTS} agents in ${Math.round(tookMs)} ms, ${lost} lost\n`);
  },
);
