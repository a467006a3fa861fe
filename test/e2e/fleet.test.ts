import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, untilSaid, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  command,
  until,
  withFakeCursor,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";
import { HAS_ALL_ROUNDS, rounds } from "../kit/rounds.ts";

const sequential = z.object({
  groupId: z.string(),
  totalStages: z.number(),
  agents: z.array(z.object({ agentId: z.string(), stageIndex: z.number() })),
});
const magentic = z.object({ groupId: z.string(), orchestratorAgentId: z.string() });

function configured(text: string, over: Record<string, string> = {}): Place {
  const place = aPlace(over);
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), text);
  return place;
}

async function runStages(
  client: TestClient,
  stages: { role?: string; prompt: string }[][],
  more = {},
) {
  const { groupId } = await client.call("create_group", {
    description: "段階",
    mode: "sequential",
  });
  const answer = await client.call("run_sequential", {
    groupId,
    stages: stages.map((tasks) => ({
      tasks: tasks.map((each) => ({ role: "impl-code", ...each })),
    })),
    ...more,
  });
  const parsed = sequential.safeParse(answer);
  if (!parsed.success) throw new Error(JSON.stringify(answer));
  return parsed.data;
}

const STAGES = 20;

test.runIf(HAS_ALL_ROUNDS)(
  `six sequential groups of ${STAGES} stages of five agents, started at once with two slots, all finish`,
  async () => {
    const place = withFakeCursor(
      configured("agent:\n  maxConcurrent: 2\nhealthCheck:\n  enabled: false\n"),
    );
    const daemon = await aDaemon(place);
    const client = await anHttpClient(daemon.url);
    const plan = Array.from({ length: STAGES }, () =>
      Array.from({ length: 5 }, () => ({ prompt: "x" })),
    );

    const plans = await Promise.all(Array.from({ length: 6 }, () => runStages(client, plan)));

    for (const { agents, groupId } of plans) {
      expect(
        await waitForAll(
          client,
          agents.map((agent) => agent.agentId),
        ),
      ).toMatchObject({ pending: [] });
      expect(await client.call("list_agents", { groupId, status: "completed" })).toMatchObject({
        total: 5 * STAGES,
      });
    }
  },
  900_000,
);

test("each stage gets the complete results of the stage before, however large", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);

  const { agents } = await runStages(client, [
    [
      { prompt: `#rehearsal report success ${"長い報告".repeat(50_000)}` },
      { prompt: "#rehearsal report failure できない" },
    ],
    [{ prompt: `#rehearsal echo-prompt ${join(place.dir, "received.txt")}` }],
  ]);
  await waitForAll(
    client,
    agents.map((agent) => agent.agentId),
  );

  const { readFileSync } = await import("node:fs");
  const received = readFileSync(join(place.dir, "received.txt"), "utf8");
  expect(received).toContain("【前ステージの結果】");
  expect(received).toContain("長い報告".repeat(50_000));
  expect(received).toContain("できない");
});

test("repeated kill -9 of the daemon during stages: every stage runs once, in order, to the end", async () => {
  const startLog = "starts";
  const place = withFakeCursor(
    configured(
      "agent:\n  maxConcurrent: 3\n  env: [FAKE_AGENT_SLEEP, FAKE_AGENT_LOG]\nhealthCheck:\n  enabled: false\n",
    ),
  );
  const log = join(place.dir, startLog);
  writeFileSync(log, "");
  Object.assign(place.env, { FAKE_AGENT_SLEEP: "0.1", FAKE_AGENT_LOG: log });
  let daemon = await aDaemon(place);
  let client = await anHttpClient(daemon.url);
  const { agents } = await runStages(
    client,
    Array.from({ length: 6 }, () => [{ prompt: "x" }, { prompt: "y" }]),
  );

  for (let kill = 0; kill < rounds({ all: 8, few: 2 }); kill++) {
    await sleep(Math.random() * 250);
    await daemon.kill("SIGKILL");
    daemon = await aDaemon(place);
  }
  client = await anHttpClient(daemon.url);
  await waitForAll(
    client,
    agents.map((agent) => agent.agentId),
  );

  const { readFileSync } = await import("node:fs");
  const starts = readFileSync(log, "utf8").trim().split("\n");
  const stageOf = new Map(agents.map((agent) => [agent.agentId, agent.stageIndex]));
  expect(starts.toSorted()).toEqual(agents.map((agent) => agent.agentId).toSorted());
  const stages = starts.map((id) => stageOf.get(id) ?? -1);
  expect(stages).toEqual(stages.toSorted((a, b) => a - b));
});

async function startMagentic(client: TestClient, task: string, more = {}) {
  const answer = await client.call("run_magentic", {
    description: "自律",
    task,
    completionCriteria: "終わること",
    scope: "なし",
    ...more,
  });
  return magentic.parse(answer);
}

test.runIf(HAS_ALL_ROUNDS)(
  "three magentic groups with one slot for sub-agents finish, each by its own orchestrator",
  async () => {
    const place = configured("agent:\n  maxConcurrent: 1\n");
    const daemon = await aDaemon(place);
    const client = await anHttpClient(daemon.url);

    const tasks = await Promise.all([1, 2, 3].map((n) => startMagentic(client, `課題 ${n}`)));
    await waitForAll(
      client,
      tasks.map((task) => task.orchestratorAgentId),
    );

    for (const { orchestratorAgentId, groupId } of tasks) {
      expect(await statusOf(client, orchestratorAgentId)).toMatchObject({
        status: "resultReported",
        result: { status: "success", summary: expect.stringContaining("リハーサル") },
      });
      const group = await (await fetch(`${daemon.url}/api/groups/${groupId}`)).json();
      expect(JSON.stringify(group)).toContain('"iterations":2');
      expect(await client.call("delete_group", { groupId })).toMatchObject({ deleted: true });
    }
  },
);

test("a magentic group finishes after kill -9 of the daemon and a restart", async () => {
  const place = aPlace();
  let daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const { orchestratorAgentId } = await startMagentic(client, "課題\n#rehearsal child sleep 600");
  await until(async () => Number((await client.call("list_agents"))["total"]) >= 3);

  await daemon.kill("SIGKILL");
  daemon = await aDaemon(place);
  const again = await anHttpClient(daemon.url);
  await waitForAll(again, [orchestratorAgentId]);

  expect(await statusOf(again, orchestratorAgentId)).toMatchObject({
    result: { status: "success" },
  });
});

test("a time-out of an orchestrator also stops all agents below it", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const { orchestratorAgentId } = await startMagentic(client, "課題\n#rehearsal child hang", {
    timeout_ms: 3_000,
  });

  await waitForAll(client, [orchestratorAgentId]);
  await until(
    async () => Number((await client.call("list_agents", { status: "running" }))["total"]) === 0,
  );

  expect(await statusOf(client, orchestratorAgentId)).toMatchObject({ status: "timedOut" });
  expect(processesWith(`KUROMAJUTSU_SOCKET=${daemon.socketPath}`)).toEqual([]);
});

test("cancel_agent stops a running agent with all its processes, and a queued one at once", async () => {
  const place = configured("agent:\n  maxConcurrent: 1\n  hardKillAfter_ms: 300\n");
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const [running = "", queued = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal ignore-term\n#rehearsal grandchild 60000\n#rehearsal hang" },
    { prompt: "x" },
  ]);
  // The signal handler is installed before the grandchild is started.
  await untilSaid(place, running, '"pid":');

  expect(await client.call("cancel_agent", { agentId: queued })).toMatchObject({
    cancelled: true,
    status: "cancelled",
  });
  expect(await client.call("cancel_agent", { agentId: running })).toMatchObject({
    cancelled: true,
  });
  await waitForAll(client, [running, queued]);

  expect(await statusOf(client, running)).toMatchObject({
    status: "cancelled",
    result: { status: "cancelled", exitCode: 137 },
  });
  expect(processesWith(`KUROMAJUTSU_AGENT_ID=${running}`)).toEqual([]);
  expect(await client.call("cancel_agent", { agentId: running })).toMatchObject({
    code: "AGENT_ALREADY_ENDED",
  });
});

test("agents continue after SIGTERM to the daemon; stop --stop-agents stops them; neither leaves orphan processes", async () => {
  const place = aPlace();
  let daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal hang" },
  ]);
  await until(async () => (await statusOf(client, agentId)).status === "running");

  await daemon.kill("SIGTERM");
  expect(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).length).toBeGreaterThan(0);
  daemon = await aDaemon(place);
  expect((await command(place, ["stop", "--stop-agents"])).code).toBe(0);

  expect(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`)).toEqual([]);
  const next = await aDaemon(place);
  expect(await statusOf(await anHttpClient(next.url), agentId)).toMatchObject({
    status: "cancelled",
  });
});

test("a message reaches a running agent with its next call, and REST shows its delivery", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal listen 20000" },
  ]);
  await until(async () => (await statusOf(client, agentId)).status === "running");

  const sent = await client.call("send_message", { agentId, text: "方針が変わりました" });
  expect(sent).toMatchObject({ status: "pending" });
  await until(async () => {
    const list = await (await fetch(`${daemon.url}/api/notifications?agentId=${agentId}`)).text();
    return list.includes('"read"');
  });
});
