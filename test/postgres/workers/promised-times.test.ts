import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { statusOf } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  aServer,
  isAlive,
  rowsOf,
  running,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { aSwitch } from "../../kit/postgres/switch.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";
import { sharedByTests } from "../../kit/when-done.ts";

vi.setConfig({ testTimeout: 300_000 });

/** The default of `store.lease_ms`, which the promised times are about. */
const LEASE_MS = 10_000;
const LOST_WITHIN_MS = 15_000;
const PAUSE_MS = 30_000;
const DEAD_WITHIN_MS = 5_000;
const NOWHERE = "http://127.0.0.1:9";

/** Without `store.lease_ms`. Only agents of the role `impl-test` are started again. */
const CONFIG = {
  agent: SETTINGS.agent,
  healthCheck: SETTINGS.healthCheck,
  server: { slots: 0 },
  roles: [{ id: "impl-test", onLost: "requeue" }],
};

const bothServers = sharedByTests(async () => {
  const url = await aMigratedUrl();
  return { url, a: await aServer(url, CONFIG), b: await aServer(url, CONFIG) };
});

let builds = 0;

/** A worker of one test, with agents that run nowhere else. */
async function aBuild() {
  const { url, a, b } = await bothServers();
  const name = `build-${++builds}`;
  const labels = [`repo:${name}`];
  const balancer = await aSwitch(a.url);
  const worker = await aWorker(balancer, { name, labels });
  const start = async (...prompts: readonly string[]) =>
    (
      await running(
        a,
        prompts.map((prompt) => ({ prompt, labels })),
      )
    ).agentIds;
  return { url, a, b, labels, balancer, worker, start };
}

const HANG = "#rehearsal hang";

async function statusesOf(url: string, agentIds: readonly string[]): Promise<readonly string[]> {
  const rows = await agentRows(url);
  return rows.filter(({ id }) => agentIds.includes(id)).map(({ status }) => status);
}

/** Everything that a worker could write about its agents, except for their transcripts. */
const TABLES = {
  agents: "id",
  agent_results: "agent_id",
  agent_progress: "agent_id",
  agent_calls: "agent_id",
  pending_ends: "agent_id",
  tool_calls: "agent_id",
  notifications: "agent_id",
  events: "agent_id",
};

async function rowsAbout(url: string, agentIds: readonly string[], table: string, column: string) {
  const ids = agentIds.map((id) => `'${id}'`).join(", ");
  const rows = await rowsOf(
    url,
    `select md5(${table}::text) as row from ${table} where ${column} in (${ids}) order by 1`,
  );
  return rows.map(({ row }) => row);
}

async function allRowsAbout(url: string, agentIds: readonly string[]) {
  const rows: Record<string, readonly unknown[]> = {};
  for (const [table, column] of Object.entries(TABLES)) {
    rows[table] = await rowsAbout(url, agentIds, table, column);
  }
  return rows;
}

const chunksOf = (url: string, agentIds: readonly string[]) =>
  rowsAbout(url, agentIds, "transcript_chunks", "agent_id");

test.runIf(HAS_ALL_ROUNDS)(
  "agents of a worker that is killed are lost within 15 seconds, once",
  async () => {
    const { url, worker, start } = await aBuild();
    const agentIds = await start(HANG, HANG, HANG);

    await worker.kill("SIGKILL");
    const killedAt = performance.now();
    const areLost = async () =>
      (await statusesOf(url, agentIds)).every((status) => status === "lost");
    await until(areLost, undefined, LOST_WITHIN_MS + 10_000);

    expect(performance.now() - killedAt).toBeLessThan(LOST_WITHIN_MS);
    await sleep(LEASE_MS);
    const ids = agentIds.map((id) => `'${id}'`).join(", ");
    const ends = await rowsOf(
      url,
      `select agent_id from events where type = 'agent:completed' and agent_id in (${ids})`,
    );
    expect(ends.map((row) => String(row["agent_id"])).toSorted()).toEqual(agentIds.toSorted());
    const results = await rowsOf(url, `select from agent_results where agent_id in (${ids})`);
    expect(results).toHaveLength(agentIds.length);
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "a worker that was paused for 30 seconds ends its agents within 5 seconds, and only adds to their transcripts",
  async () => {
    const { url, worker, start } = await aBuild();
    // The second one writes output and ends during the pause, the third one would report later.
    const agentIds = await start(
      HANG,
      `#rehearsal sleep ${PAUSE_MS / 2}\n#rehearsal say late\n#rehearsal report success late`,
      `#rehearsal sleep ${PAUSE_MS + 2_000}\n#rehearsal report success late`,
    );
    // What they wrote before is stored.
    await sleep(3_000);

    process.kill(worker.pid, "SIGSTOP");
    await sleep(PAUSE_MS);
    expect(await statusesOf(url, agentIds)).toEqual(["lost", "lost", "lost"]);
    const settled = await allRowsAbout(url, agentIds);
    const chunks = await chunksOf(url, agentIds);
    process.kill(worker.pid, "SIGCONT");
    const wokenAt = performance.now();

    await until(() => agentIds.every((id) => !isAlive(id)), undefined, DEAD_WITHIN_MS + 20_000);
    expect(performance.now() - wokenAt).toBeLessThan(DEAD_WITHIN_MS);
    // It is connected again, and takes agents.
    const more = await start("#rehearsal sleep 500");
    await until(async () => (await statusesOf(url, more))[0] === "resultReported");
    await sleep(3_000);
    expect(await allRowsAbout(url, agentIds)).toEqual(settled);
    // What they wrote during the pause is added to their transcripts, and nothing in them changes.
    expect(await chunksOf(url, agentIds)).toEqual(expect.arrayContaining(chunks));
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "a worker that is cut off ends its agents by itself within its lease and 5 seconds",
  async () => {
    const { a, balancer, worker, start } = await aBuild();
    const agentIds = await start(HANG, HANG);

    balancer.use(NOWHERE);
    const cutAt = performance.now();
    await until(() => agentIds.every((id) => !isAlive(id)), undefined, LEASE_MS + 20_000);

    expect(performance.now() - cutAt).toBeLessThan(LEASE_MS + 5_000);
    expect(worker.place.log()).toContain("No server was reached for too long");
    balancer.use(a.url);
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "an agent whose role says so is started again on another worker when its worker dies",
  async () => {
    const { url, a, b, labels, worker } = await aBuild();
    const spec = { role: "impl-test", prompt: HANG, labels };
    const { agentIds } = await running(a, [spec]);
    const [id = ""] = agentIds;
    const other = await aWorker(b, { name: `build-${++builds}`, labels });

    await worker.kill("SIGKILL");
    const isMoved = async () =>
      (await agentRows(url)).some((row) => row.id === id && row.worker_id === other.id);
    await until(isMoved, undefined, LOST_WITHIN_MS + 10_000);
    await until(async () => (await statusOf(b.main, id)).status === "running");

    const rows = await agentRows(url);
    expect(rows.filter((row) => row.id === id)).toMatchObject([
      { status: "running", attempt: 2, worker_id: other.id },
    ]);
    const ofOther = processesWith(`KUROMAJUTSU_AGENT_ID=${id}`).filter(({ environment }) =>
      environment.some((each) =>
        each.startsWith(`KUROMAJUTSU_SOCKET=${other.place.env["XDG_RUNTIME_DIR"]}`),
      ),
    );
    expect(ofOther.length).toBeGreaterThan(0);
    const audit = await rowsOf(
      url,
      `select action from audit where subject = '${id}' and action = 'agent.host_lost'`,
    );
    expect(audit).toHaveLength(1);
  },
);
