import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { type AgentSpec, aGroup, runAll, statusOf, waitForAll } from "../../kit/agents.ts";
import { command, until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  ask,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aSwitch } from "../../kit/postgres/switch.ts";
import { aWorker, startWorker } from "../../kit/postgres/workers.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const workersShape = z.object({ workers: z.array(z.looseObject({ name: z.string() })) });
const startedShape = z.object({ agents: z.array(z.looseObject({ agentId: z.string() })) });
/** The lease, the beat that finds its end, and a busy machine. */
const TAKEN_OVER_MS = 4 * LEASE_MS + 10_000;
/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9";

const bothServers = sharedByTests(async () => {
  const url = await aMigratedUrl();
  return { url, a: await aServer(url), b: await aServer(url) };
});

let builds = 0;

/** A worker of one test, and agents that run nowhere else. */
function aBuild() {
  const name = `build-${++builds}`;
  const labels = [`repo:${name}`];
  return {
    options: { name, labels },
    labels,
    hang: { prompt: "#rehearsal hang", labels },
    short: { prompt: "#rehearsal sleep 500", labels },
    sleeping: (ms: number) => ({ prompt: `#rehearsal sleep ${ms}`, labels }),
  };
}

/** The rows of these agents, in the order of their start. */
async function rowsOfAgents(url: string, agentIds: readonly string[]) {
  return (await agentRows(url)).filter(({ id }) => agentIds.includes(id));
}

async function areLost(url: string, agentIds: readonly string[]): Promise<boolean> {
  return (await rowsOfAgents(url, agentIds)).every(({ status }) => status === "lost");
}

async function resultsOf(url: string, agentIds: readonly string[]) {
  const rows = await rowsOf(url, "select * from agent_results order by agent_id");
  return rows.filter(({ agent_id }) => agentIds.includes(String(agent_id)));
}

/** One more agent runs to its end there. */
async function runsAgents({ main }: TestServer, spec: AgentSpec): Promise<void> {
  const agentIds = await runAll(main, await aGroup(main), [spec]);
  expect(await waitForAll(main, agentIds)).toMatchObject({ pending: [] });
}

test("an agent with labels runs on the worker that has them, and reports through it", async () => {
  const { url, a, b } = await bothServers();
  const { options, labels } = aBuild();
  const worker = await aWorker(a, options);

  const group = await aGroup(a.main);
  const agentIds = await runAll(a.main, group, [{ labels }, {}]);
  expect(await waitForAll(a.main, agentIds)).toMatchObject({ pending: [] });

  const rows = await rowsOf(
    url,
    `select worker_id, hello_at is null as is_mute, reported_at is null as is_silent, exit_code
      from agents where group_id = '${group}' order by seq`,
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    worker_id: worker.id,
    is_mute: true,
    is_silent: false,
    exit_code: "0",
  });
  expect([worker.id, a.id, b.id]).toContain(rows[1]?.["worker_id"]);
  expect(await ask(a, "GET", `/api/agents/${agentIds[0]}`)).toMatchObject({
    body: { host: { kind: "worker", name: options.name } },
  });
  expect(isAlive(agentIds[0] ?? "")).toBe(false);
});

test("an agent on a worker is cancelled from any server, and the group goes on", async () => {
  const { a, b } = await bothServers();
  const { options, hang } = aBuild();
  await aWorker(a, options);
  const { agentIds } = await running(b, [hang, hang]);
  const [first = "", second = ""] = agentIds;

  await a.main.call("cancel_agent", { agentId: first });
  await b.main.call("cancel_agent", { agentId: second });

  await until(() => !isAlive(first) && !isAlive(second));
  await until(async () => (await statusOf(b.main, second)).status === "cancelled");
  expect((await statusOf(a.main, first)).status).toBe("cancelled");
});

test("a worker that is killed and started again within its lease keeps its agents", async () => {
  const { url, a: server } = await bothServers();
  const build = aBuild();
  const worker = await aWorker(server, build.options);
  const { agentIds } = await running(server, [build.hang, build.sleeping(4_000)]);

  await worker.kill("SIGKILL");
  await startWorker(server, worker.place, worker.id, build.options);
  await sleep(2 * LEASE_MS);

  const [hanging = "", sleeping = ""] = agentIds;
  expect(isAlive(hanging)).toBe(true);
  await until(async () => (await statusOf(server.main, sleeping)).status === "resultReported");
  expect(await rowsOfAgents(url, agentIds)).toMatchObject([
    { status: "running", worker_id: worker.id, attempt: 1 },
    { status: "resultReported", worker_id: worker.id, attempt: 1 },
  ]);
  // It is supervised again: a stop ends its process.
  await server.main.call("cancel_agent", { agentId: hanging });
  await until(() => !isAlive(hanging));
});

test("agents of a worker that dies are lost once, and its next process ends what still runs", async () => {
  const { url, a: server } = await bothServers();
  const { options, hang, short } = aBuild();
  const worker = await aWorker(server, options);
  const { groupId, agentIds } = await running(server, [hang, hang]);

  await worker.kill("SIGKILL");
  await until(() => areLost(url, agentIds), undefined, TAKEN_OVER_MS);
  const completed = await rowsOf(
    url,
    `select agent_id from events where type = 'agent:completed' and group_id = '${groupId}'`,
  );
  expect(completed.map((row) => String(row["agent_id"])).toSorted()).toEqual(agentIds.toSorted());
  // Also after a server has cleaned up.
  const unseen = `select from workers where seen is null and id = '${worker.id}'`;
  await until(async () => (await rowsOf(url, unseen)).length === 1);
  const { body } = await ask(server, "GET", "/api/workers");
  expect(
    workersShape.parse(body).workers.filter(({ name }) => name === options.name),
  ).toMatchObject([{ state: "lost", seen_ms: null, agents: 0 }]);

  await startWorker(server, worker.place, worker.id, options);
  await until(() => agentIds.every((id) => !isAlive(id)));
  await runsAgents(server, short);
  const verified = await command(server.place, ["audit", "verify"]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});

test("a worker that was paused past its lease ends its agents, and writes nothing for them", async () => {
  const { url, a: server } = await bothServers();
  const build = aBuild();
  const worker = await aWorker(server, build.options);
  const { agentIds } = await running(server, [build.hang, build.sleeping(6_000)]);

  process.kill(worker.pid, "SIGSTOP");
  await until(() => areLost(url, agentIds), undefined, TAKEN_OVER_MS);
  const settled = await resultsOf(url, agentIds);
  process.kill(worker.pid, "SIGCONT");

  await until(() => agentIds.every((id) => !isAlive(id)), undefined, 15_000);
  await runsAgents(server, build.short);
  expect(await resultsOf(url, agentIds)).toEqual(settled);
});

test("a worker without any server ends its agents by itself when its lease ends", async () => {
  const { a: server } = await bothServers();
  const { options, hang } = aBuild();
  const balancer = await aSwitch(server.url);
  const worker = await aWorker(balancer, options);
  const { agentIds } = await running(server, [hang]);

  balancer.use(NOWHERE);
  const cutAt = Date.now();
  await until(() => agentIds.every((id) => !isAlive(id)), undefined, LEASE_MS + 15_000);

  expect(Date.now() - cutAt).toBeGreaterThan(LEASE_MS / 2);
  expect(worker.place.log()).toContain("No server was reached for too long");
});

test("a worker goes on through another server when its own one dies: behind a balancer, or with both addresses", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  const balancer = await aSwitch(a.url);
  const [balanced, naming] = [aBuild(), aBuild()];
  const workers = [
    await aWorker(balancer, balanced.options),
    await aWorker(a, { ...naming.options, others: [b] }),
  ];
  const reporting = "#rehearsal sleep 3000\n#rehearsal report success done";
  const { agentIds } = await running(
    b,
    [balanced, naming].flatMap(({ hang, labels }) => [hang, { labels, prompt: reporting }]),
  );

  balancer.use(b.url);
  await a.daemon.kill("SIGKILL");

  const hanging = agentIds.filter((_, n) => n % 2 === 0);
  const reported = agentIds.filter((_, n) => n % 2 === 1);
  expect(await waitForAll(b.main, reported)).toMatchObject({ pending: [] });
  for (const id of reported) {
    expect(await statusOf(b.main, id)).toMatchObject({ status: "resultReported" });
  }
  for (const agentId of hanging) {
    expect(isAlive(agentId)).toBe(true);
    await b.main.call("cancel_agent", { agentId });
    await until(() => !isAlive(agentId));
  }
  const ranBy = new Map((await agentRows(url)).map(({ id, worker_id }) => [id, worker_id]));
  expect(agentIds.map((id) => ranBy.get(id))).toEqual(workers.flatMap(({ id }) => [id, id]));
  await startAgain(a.place);
});

test("a stopped worker lets its agents finish and takes no more", async () => {
  const { url, a: server } = await bothServers();
  const build = aBuild();
  const worker = await aWorker(server, { ...build.options, drain: "60s" });
  const { agentIds } = await running(server, [build.sleeping(2_500)]);

  worker.process.kill("SIGTERM");
  await until(() => worker.place.log().includes("Taking no more agents"));
  const groupId = await aGroup(server.main, "later");
  const agents = [{ role: "impl-code", ...build.short }];
  const late = startedShape.parse(await server.main.call("run_agents", { groupId, agents }));
  expect(late.agents).toMatchObject([{ status: "queued" }]);

  expect(await worker.exited).toBe(0);
  const [done, waiting] = await rowsOfAgents(url, [
    ...agentIds,
    ...late.agents.map(({ agentId }) => agentId),
  ]);
  expect(done).toMatchObject({ id: agentIds[0], status: "resultReported" });
  expect(waiting).toMatchObject({ status: "queued", worker_id: null });
});

test("every server shows the transcript of an agent on a worker, also after the worker is gone", async () => {
  const { a, b } = await bothServers();
  const { options, labels } = aBuild();
  const worker = await aWorker(a, options);
  const prompt = "#rehearsal say first line\n#rehearsal sleep 1500\n#rehearsal say second line";
  const { agentIds } = await running(b, [{ prompt, labels }]);
  const [agentId = ""] = agentIds;
  const transcriptOn = async (server: TestServer) =>
    JSON.stringify((await ask(server, "GET", `/api/agents/${agentId}/transcript`)).body);

  await until(async () => (await transcriptOn(b)).includes("first line"));
  expect(await waitForAll(b.main, [agentId])).toMatchObject({ pending: [] });
  await worker.kill("SIGKILL");

  expect(await transcriptOn(a)).toContain("second line");
  expect(await transcriptOn(b)).toBe(await transcriptOn(a));
});
