import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, readSpool, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  until,
  withFakeCursor,
} from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";

const CONFIG = `agent:
  runner: cursor
  connectWithin_ms: 300
  env: [FAKE_AGENT_SLEEP, FAKE_AGENT_LOG, FAKE_AGENT_LOSES]
healthCheck:
  enabled: false
`;

/** A place where the fake Cursor CLI runs and notes the id of every agent that it starts. */
function aPlaceWithCursor() {
  const place = withFakeCursor(aPlace());
  const log = join(place.dir, "starts");
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG);
  writeFileSync(log, "");
  Object.assign(place.env, { FAKE_AGENT_LOG: log });
  const startsOf = (id: string) =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line === id).length;
  return { place, startsOf };
}

test("an agent continues a conversation, and one whose conversation is lost begins a new one over a crash", async () => {
  const { place, startsOf } = aPlaceWithCursor();
  let daemon = await aDaemon(place);
  let client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const [first = ""] = await runAll(client, groupId, [{}]);
  await waitForAll(client, [first]);

  const [second = ""] = await runAll(client, groupId, [{ resumeAgentId: first }]);
  await waitForAll(client, [second]);

  const sessionOf = (id: string) => /"session_id":"([^"]+)"/.exec(readSpool(place, id, "out"))?.[1];
  expect(sessionOf(second)).toBe(sessionOf(first));
  expect((await statusOf(client, second)).result).not.toHaveProperty("warnings");

  await daemon.kill("SIGKILL");
  // Longer than the sweep of the first attempt takes, which must not end the second.
  Object.assign(place.env, { FAKE_AGENT_LOSES: "yes", FAKE_AGENT_SLEEP: "2" });
  daemon = await aDaemon(place);
  client = await anHttpClient(daemon.url);
  const [third = ""] = await runAll(client, groupId, [{ resumeAgentId: second }]);
  await until(() => startsOf(third) > 0);
  await daemon.kill("SIGKILL");
  daemon = await aDaemon(place);
  client = await anHttpClient(daemon.url);
  await waitForAll(client, [third]);

  expect(await statusOf(client, third)).toMatchObject({
    status: "completed",
    result: {
      status: "success",
      warnings: expect.arrayContaining([
        `The conversation ${sessionOf(first)} could not be continued, so a new one was begun.`,
      ]),
    },
  });
  expect(startsOf(third)).toBe(2);
  expect(sessionOf(third)).not.toBe(sessionOf(first));
});

test("an agent that does not connect is degraded, over a crash, until its shim says hello", async () => {
  const { place } = aPlaceWithCursor();
  Object.assign(place.env, { FAKE_AGENT_SLEEP: "60" });
  let daemon = await aDaemon(place);
  let client = await anHttpClient(daemon.url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [{}]);
  const degraded = async () => (await statusOf(client, agentId))["degraded"];

  await until(async () => (await degraded()) !== undefined);
  expect(await degraded()).toMatchObject({
    reason: "not-connected",
    message: expect.stringContaining("kuromajutsu init"),
  });
  await daemon.kill("SIGKILL");
  daemon = await aDaemon(place);
  client = await anHttpClient(daemon.url);
  expect(await degraded()).toMatchObject({ reason: "not-connected" });

  const [found] = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`);
  const token = found?.environment.find((each) => each.startsWith("KUROMAJUTSU_AGENT_TOKEN="));
  const [name = "", value = ""] = token?.split("=") ?? [];
  const env = { ...place.env, [name]: value };
  const agent = await aStdioClient({ ...place, env });
  await agent.call("get_notifications", {});

  await until(async () => (await degraded()) === undefined);
  expect(await statusOf(client, agentId)).toMatchObject({ status: "running" });
});
