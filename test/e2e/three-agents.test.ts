import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  command,
  readDaemonFile,
  type TestClient,
  until,
} from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";

async function threeAgents(client: TestClient, directive: string): Promise<string[]> {
  const groupId = await aGroup(client, "README の例");
  const roles = ["impl-code", "impl-test", "code-review"];
  return runAll(
    client,
    groupId,
    roles.map((role) => ({ role, prompt: `挨拶を書いて\n${directive}` })),
  );
}

async function expectThreeResults({ call }: TestClient, agentIds: string[]): Promise<void> {
  expect(agentIds).toHaveLength(3);
  for (const agentId of agentIds) {
    expect(await call("get_agent_status", { agentId })).toMatchObject({
      status: "resultReported",
      result: { status: "success", exitCode: 0, summary: expect.stringContaining("リハーサル") },
    });
  }
}

test("a daemon is killed while three agents run: the stdio client's next call starts a new one, and all results arrive", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await aStdioClient(place);
  const agentIds = await threeAgents(client, "#rehearsal sleep 1500");

  const waiting = waitForAll(client, agentIds);
  await sleep(400);
  await first.kill("SIGKILL");

  expect(await waiting).toMatchObject({ pending: [], timedOut: false });
  await until(() => (readDaemonFile(place)?.pid ?? first.pid) !== first.pid);
  await expectThreeResults(client, agentIds);
});

for (const era of ["legacy", "modern"] as const) {
  test(`an HTTP client (${era}) continues its session after the daemon was killed and restarted`, async () => {
    const place = aPlace();
    const first = await aDaemon(place);
    const client = await anHttpClient(first.url, { era });
    const gate = aGate(place);
    const agentIds = await threeAgents(client, `#rehearsal ${gate.waits}`);
    await until(async () => {
      const page = await client.call("list_agents", { status: "running" });
      return page["total"] === 3;
    });

    await first.kill("SIGKILL");
    await aDaemon(place);
    gate.open();

    expect(await waitForAll(client, agentIds)).toMatchObject({ pending: [], timedOut: false });
    await expectThreeResults(client, agentIds);
  });
}

test("a daemon that was stopped with `stop` stays stopped until the client sends a request", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await aStdioClient(place);

  expect(await command(place, ["stop"])).toMatchObject({ code: 0 });
  await sleep(600);
  expect(readDaemonFile(place)).toBeUndefined();

  expect(await client.call("list_roles")).toHaveProperty("roles");
  await until(() => (readDaemonFile(place)?.pid ?? daemon.pid) !== daemon.pid);
});

test("a stdio client without a running daemon starts one, and its agents report", async () => {
  const place = aPlace();

  const client = await aStdioClient(place);
  const agentIds = await threeAgents(client, "");
  const answer = await waitForAll(client, agentIds);

  expect(answer["completed"]).toHaveLength(3);
});
