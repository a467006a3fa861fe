import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aGroup, runAll, statusOf, waitForAll } from "../../kit/agents.ts";
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

const LABELS = ["repo:app"];
const HANG = { prompt: "#rehearsal hang", labels: LABELS };
const SHORT = { prompt: "#rehearsal sleep 500", labels: LABELS };
/** The lease, the beat that finds its end, and a busy machine. */
const TAKEN_OVER_MS = 4 * LEASE_MS + 10_000;
const BUILD = { name: "build-1", labels: LABELS };

/** One more agent runs to its end there. */
async function runsAgents({ main }: TestServer): Promise<void> {
  const agentIds = await runAll(main, await aGroup(main), [SHORT]);
  expect(await waitForAll(main, agentIds)).toMatchObject({ pending: [] });
}

test("an agent with labels runs on the worker that has them, and reports through it", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  const worker = await aWorker(server, BUILD);

  const group = await aGroup(server.main);
  const agentIds = await runAll(server.main, group, [{ labels: LABELS }, {}]);
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

  const rows = await rowsOf(
    url,
    "select worker_id, hello_at is null as is_mute, reported_at is null as is_silent, exit_code from agents order by seq",
  );
  expect(rows[0]).toEqual({
    worker_id: worker.id,
    is_mute: true,
    is_silent: false,
    exit_code: "0",
  });
  expect([worker.id, server.id]).toContain(rows[1]?.["worker_id"]);
  expect(await ask(server, "GET", `/api/agents/${agentIds[0]}`)).toMatchObject({
    body: { host: { kind: "worker", name: "build-1" } },
  });
  expect(isAlive(agentIds[0] ?? "")).toBe(false);
});

test("an agent on a worker is cancelled from any server, and the group goes on", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  await aWorker(a, BUILD);
  const { agentIds } = await running(b, [HANG, HANG]);
  const [first = "", second = ""] = agentIds;

  await a.main.call("cancel_agent", { agentId: first });
  await b.main.call("cancel_agent", { agentId: second });

  await until(() => !isAlive(first) && !isAlive(second));
  await until(async () => (await statusOf(b.main, second)).status === "cancelled");
  expect((await statusOf(a.main, first)).status).toBe("cancelled");
});

test("a worker that is killed and started again within its lease keeps its agents", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  const worker = await aWorker(server, BUILD);
  const { agentIds } = await running(server, [HANG, { ...SHORT, prompt: "#rehearsal sleep 4000" }]);

  await worker.kill("SIGKILL");
  await startWorker(server, worker.place, worker.id, BUILD);
  await sleep(2 * LEASE_MS);

  const [hanging = "", sleeping = ""] = agentIds;
  expect(isAlive(hanging)).toBe(true);
  await until(async () => (await statusOf(server.main, sleeping)).status === "resultReported");
  expect(await agentRows(url)).toMatchObject([
    { status: "running", worker_id: worker.id, attempt: 1 },
    { status: "resultReported", worker_id: worker.id, attempt: 1 },
  ]);
  // It is supervised again: a stop ends its process.
  await server.main.call("cancel_agent", { agentId: hanging });
  await until(() => !isAlive(hanging));
});

test("agents of a worker that dies are lost once, and its next process ends what still runs", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  await aServer(url);
  const worker = await aWorker(server, BUILD);
  const { agentIds } = await running(server, [HANG, HANG]);

  await worker.kill("SIGKILL");
  await until(
    async () => (await agentRows(url)).every(({ status }) => status === "lost"),
    undefined,
    TAKEN_OVER_MS,
  );
  const completed = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
  expect(completed.map((row) => String(row["agent_id"])).toSorted()).toEqual(agentIds.toSorted());
  // Also after a server has cleaned up.
  await until(
    async () => (await rowsOf(url, "select from workers where seen is null")).length === 1,
  );
  expect(await ask(server, "GET", "/api/workers")).toMatchObject({
    body: { workers: [{ state: "lost", seen_ms: null, agents: 0 }] },
  });

  await startWorker(server, worker.place, worker.id, BUILD);
  await until(() => agentIds.every((id) => !isAlive(id)));
  await runsAgents(server);
  const verified = await command(server.place, ["audit", "verify"]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});

test("a worker that was paused past its lease ends its agents, and writes nothing for them", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  const worker = await aWorker(server, BUILD);
  const { agentIds } = await running(server, [HANG, { ...SHORT, prompt: "#rehearsal sleep 6000" }]);

  process.kill(worker.pid, "SIGSTOP");
  await until(
    async () => (await agentRows(url)).every(({ status }) => status === "lost"),
    undefined,
    TAKEN_OVER_MS,
  );
  const settled = await rowsOf(url, "select * from agent_results order by agent_id");
  process.kill(worker.pid, "SIGCONT");

  await until(() => agentIds.every((id) => !isAlive(id)), undefined, 15_000);
  await runsAgents(server);
  const results = await rowsOf(url, "select * from agent_results order by agent_id");
  expect(results.filter(({ agent_id }) => agentIds.includes(String(agent_id)))).toEqual(settled);
});

test("a worker without any server ends its agents by itself when its lease ends", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  const worker = await aWorker(server, BUILD);
  const { agentIds } = await running(server, [HANG]);

  await server.daemon.kill("SIGKILL");
  const cutAt = Date.now();
  await until(() => agentIds.every((id) => !isAlive(id)), undefined, LEASE_MS + 15_000);

  expect(Date.now() - cutAt).toBeGreaterThan(LEASE_MS / 2);
  expect(worker.place.log()).toContain("No server was reached for too long");
});

test("a worker goes on through another server when its own one dies", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  const balancer = await aSwitch(a.url);
  const worker = await aWorker(balancer, BUILD);
  const { agentIds } = await running(b, [
    HANG,
    { labels: LABELS, prompt: "#rehearsal sleep 3000\n#rehearsal report success done" },
  ]);

  balancer.use(b.url);
  await a.daemon.kill("SIGKILL");

  const [hanging = "", reporting = ""] = agentIds;
  expect(await waitForAll(b.main, [reporting])).toMatchObject({ pending: [] });
  expect(await statusOf(b.main, reporting)).toMatchObject({ status: "resultReported" });
  expect(isAlive(hanging)).toBe(true);
  await b.main.call("cancel_agent", { agentId: hanging });
  await until(() => !isAlive(hanging));
  expect((await agentRows(url)).map(({ worker_id }) => worker_id)).toEqual([worker.id, worker.id]);
  await startAgain(a.place);
});

test("a stopped worker lets its agents finish and takes no more", async () => {
  const url = await aMigratedUrl();
  const server = await aServer(url);
  const worker = await aWorker(server, { ...BUILD, drain: "60s" });
  const { agentIds } = await running(server, [{ ...SHORT, prompt: "#rehearsal sleep 2500" }]);

  worker.process.kill("SIGTERM");
  await until(() => worker.place.log().includes("Taking no more agents"));
  const groupId = await server.main.call("create_group", { description: "later" });
  const late = await server.main.call("run_agents", {
    groupId: groupId["groupId"],
    agents: [{ role: "impl-code", ...SHORT }],
  });
  expect(late).toMatchObject({ agents: [{ status: "queued" }] });

  expect(await worker.exited).toBe(0);
  const [done, waiting] = await agentRows(url);
  expect(done).toMatchObject({ id: agentIds[0], status: "resultReported" });
  expect(waiting).toMatchObject({ status: "queued", worker_id: null });
});

test("every server shows the transcript of an agent on a worker, also after the worker is gone", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  const worker = await aWorker(a, BUILD);
  const prompt = "#rehearsal say first line\n#rehearsal sleep 1500\n#rehearsal say second line";
  const { agentIds } = await running(b, [{ prompt, labels: LABELS }]);
  const [agentId = ""] = agentIds;
  const transcriptOn = async (server: TestServer) =>
    JSON.stringify((await ask(server, "GET", `/api/agents/${agentId}/transcript`)).body);

  await until(async () => (await transcriptOn(b)).includes("first line"));
  expect(await waitForAll(b.main, [agentId])).toMatchObject({ pending: [] });
  await worker.kill("SIGKILL");

  expect(await transcriptOn(a)).toContain("second line");
  expect(await transcriptOn(b)).toBe(await transcriptOn(a));
});
