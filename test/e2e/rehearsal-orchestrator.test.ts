import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until, type TestClient } from "../kit/daemon.ts";

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

test("a rehearsal really orchestrates: two agents, one more after replanning, a report", async () => {
  const client = await anHttpClient((await aDaemon(aPlace())).url);

  const { orchestratorAgentId } = await start(client, "挨拶を書く");
  await waitForAll(client, [orchestratorAgentId]);

  expect(await statusOf(client, orchestratorAgentId)).toMatchObject({
    status: "resultReported",
    result: { status: "success", summary: expect.stringMatching(/^リハーサル: .*反復は 2 回/) },
  });
  expect(await client.call("list_agents")).toMatchObject({ total: 4 });
});

test("the server's limit ends the delegating, and the orchestrator says so", async () => {
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
  "agents that always fail are stalls, until it is told to leave it to a person (%j)",
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

test("a daemon that is killed while the sub-agents work finds them all again, and none twice", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const before = await anHttpClient(first.url);
  const { orchestratorAgentId } = await start(before, "挨拶を書く\n#rehearsal child sleep 6000");
  await until(async () => (await before.call("list_agents", { status: "running" }))["total"] === 3);

  await first.kill("SIGKILL");
  const client = await anHttpClient((await aDaemon(place)).url);
  await waitForAll(client, [orchestratorAgentId]);

  expect((await statusOf(client, orchestratorAgentId)).result).toMatchObject({ status: "success" });
  expect(await client.call("list_agents")).toMatchObject({ total: 4 });
});

test("a message reaches an agent that listens, and is in its report", async () => {
  const client = await anHttpClient((await aDaemon(aPlace())).url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal listen 10000" },
  ]);
  await until(async () => (await statusOf(client, agentId)).status === "running");

  await client.call("send_message", { agentId, text: "急いで" });
  await waitForAll(client, [agentId]);

  expect((await statusOf(client, agentId)).result).toMatchObject({
    response: expect.stringContaining("受け取った通知 (message、main agent から): 「急いで」"),
  });
});
