import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until, type TestClient } from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";

async function start({ call }: TestClient, task: string, more: Record<string, unknown> = {}) {
  const answer = await call("run_magentic", {
    description: "試験",
    task,
    completionCriteria: "終わること",
    scope: "なし",
    ...more,
  });
  return z.object({ groupId: z.string(), orchestratorAgentId: z.string() }).parse(answer);
}

test("a rehearsed orchestrator runs two agents, one more after replanning, and reports", async () => {
  const client = await anHttpClient((await aDaemon(aPlace())).url);

  const { orchestratorAgentId } = await start(client, "挨拶を書く");
  await waitForAll(client, [orchestratorAgentId]);

  expect(await statusOf(client, orchestratorAgentId)).toMatchObject({
    status: "resultReported",
    result: { status: "success", summary: expect.stringMatching(/^リハーサル: .*反復は 2 回/) },
  });
  expect(await client.call("list_agents")).toMatchObject({ total: 4 });
});

test("a rehearsed orchestrator stops delegating at the server's iteration limit and reports it", async () => {
  const client = await anHttpClient((await aDaemon(aPlace())).url);

  const { orchestratorAgentId } = await start(client, "挨拶を書く\n#rehearsal iterations 4", {
    maxIterations: 2,
  });
  await waitForAll(client, [orchestratorAgentId]);

  expect((await statusOf(client, orchestratorAgentId)).result).toMatchObject({
    status: "failure",
    summary: expect.stringMatching(/MAX_ITERATIONS_REACHED.*反復は 2 回/),
  });
});

test.each(["", "\n#rehearsal no-ledger"])(
  "iterations whose agents all fail count as stalls, until the orchestrator reports that a person must decide (%j)",
  async (directive) => {
    const client = await anHttpClient((await aDaemon(aPlace())).url);

    const { orchestratorAgentId } = await start(
      client,
      `挨拶を書く\n#rehearsal iterations 9\n#rehearsal child fail だめ${directive}`,
    );
    await waitForAll(client, [orchestratorAgentId]);

    expect((await statusOf(client, orchestratorAgentId)).result).toMatchObject({
      status: "failure",
      summary: expect.stringContaining("人の判断"),
      response: expect.stringContaining("受け取った通知 (replan"),
    });
  },
);

test("after a kill of the daemon all sub-agents of an orchestrator are adopted, and none is started twice", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const before = await anHttpClient(first.url);
  const gate = aGate(place);
  const task = `挨拶を書く\n#rehearsal child ${gate.waits}`;
  const { orchestratorAgentId } = await start(before, task);
  await until(async () => (await before.call("list_agents", { status: "running" }))["total"] === 3);

  await first.kill("SIGKILL");
  const client = await anHttpClient((await aDaemon(place)).url);
  gate.open();
  await waitForAll(client, [orchestratorAgentId]);

  expect((await statusOf(client, orchestratorAgentId)).result).toMatchObject({ status: "success" });
  expect(await client.call("list_agents")).toMatchObject({ total: 4 });
});

test("a message reaches a rehearsal that listens, and is in its report", async () => {
  const place = aPlace();
  const client = await anHttpClient((await aDaemon(place)).url);
  const gate = aGate(place);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: `#rehearsal ${gate.waits}\n#rehearsal listen 500` },
  ]);
  await until(async () => (await statusOf(client, agentId)).status === "running");

  await client.call("send_message", { agentId, text: "急いで" });
  gate.open();
  await waitForAll(client, [agentId]);

  expect((await statusOf(client, agentId)).result).toMatchObject({
    response: expect.stringContaining("受け取った通知 (message、main agent から): 「急いで」"),
  });
});
