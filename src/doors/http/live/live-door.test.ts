import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aCore, ended, someProgress, started, type TestCore } from "../../../../test/kit/core.ts";
import { until } from "../../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import {
  aDashboard,
  aFollower,
  aLiveSocket,
  singles,
  tick,
} from "../../../../test/kit/live-client.ts";
import { reportResult } from "../../../app/agents/report-result.ts";
import { LOCAL_USER } from "../../../app/core.ts";
import { createGroup } from "../../../app/groups/create-group.ts";
import { deleteGroup } from "../../../app/groups/delete-group.ts";
import { runAgents } from "../../../app/groups/run-agents.ts";
import type { ServerFrame } from "../../../contract/live.ts";

async function aRunningAgent(core: TestCore) {
  const group = await createGroup(core, LOCAL_USER, {
    description: "認証機能",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "やって", workingDirectory: "/", timeoutMs: null }],
  });
  if (!agent) throw new Error("no agent");
  await core.quiet();
  await core.observe(started(agent.id));
  return { group, agent };
}

test("a new client gets a snapshot and then the events", async () => {
  const core = await aCore();
  const { group, agent } = await aRunningAgent(core);
  const door = await anHttpDoor(core, {
    availableModels: async () => ["claude-4-sonnet"],
    health: async () => ({ state: "idle" }),
  });

  const dashboard = await aDashboard(door.url);
  const snapshot = await dashboard.frame("snapshot");
  await core.observe({
    type: "progress",
    agentId: agent.id,
    attempt: 1,
    progress: someProgress({ toolCallCount: 7, lastMessage: "直しています" }),
  });
  const frame = await dashboard.frame("events");

  expect(snapshot).toMatchObject({
    epoch: core.live.epoch,
    state: {
      server: { availableModels: ["claude-4-sonnet"] },
      groups: [{ groupId: group.id, description: "認証機能" }],
      agents: [{ agentId: agent.id, status: "running", toolCallCount: 0 }],
      roles: [{ id: "impl-code" }, { id: "code-review" }],
      health: { state: "idle" },
    },
  });
  expect(frame.from).toBe(snapshot.seq + 1);
  expect(frame.ev).toMatchObject([
    {
      type: "agent:status_update",
      data: { agentId: agent.id, status: "running", toolCallCount: 7, lastMessage: "直しています" },
    },
  ]);
});

test("twelve drops in the middle of the stream: nothing is missing and nothing comes twice", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, { timing: { frameMs: 5 } });
  const follower = aFollower();
  let count = 0;
  const stream = setInterval(() => {
    for (let burst = 0; burst < 5; burst++) tick(core, ++count);
  }, 1);

  for (let connection = 0; connection <= 12; connection++) {
    const dashboard = await aDashboard(door.url, follower.hello());
    await until(() => dashboard.messages.length > 3);
    // As when a network fails: without a close frame.
    dashboard.socket.terminate();
    for (const frame of dashboard.frames()) follower.take(frame);
    await sleep(10);
  }
  clearInterval(stream);
  const last = await aDashboard(door.url, follower.hello());
  await last.frame("resumed");
  await until(() => last.frames().some((frame) => seqOf(frame) === core.live.seq()));
  for (const frame of last.frames()) follower.take(frame);

  expect(follower.problems).toEqual([]);
  expect(follower.count("snapshot")).toBe(1);
  expect(follower.count("resumed")).toBe(13);
  expect(follower.seq()).toBe(count);
  // Counters are absolute, so a client that missed nothing has the last one.
  expect(follower.stateOf("impl-code-1-a")).toMatchObject({ toolCallCount: count });
});

test("a client of an earlier daemon, or one that was away too long, gets a new snapshot", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const other = await aDashboard(door.url, { epoch: "another life", seq: 3 });
  expect((await other.frame("snapshot")).epoch).toBe(core.live.epoch);

  // More events in one moment than the ring holds: even a client that was up to date needs a snapshot.
  for (let count = 1; count <= 5_001; count++) tick(core, count);
  await until(() => other.messages.length === 2);
  expect(other.frames()[1]).toMatchObject({ t: "snapshot", seq: 5_001 });
  const late = await aDashboard(door.url, { epoch: core.live.epoch, seq: 0 });
  const ahead = await aDashboard(door.url, { epoch: core.live.epoch, seq: 9_999_999 });

  expect((await late.frame("snapshot")).seq).toBe(5_001);
  expect((await ahead.frame("snapshot")).seq).toBe(5_001);
});

test("a burst of updates of one agent is one event in one frame", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const dashboard = await aDashboard(door.url);
  const { seq } = await dashboard.frame("snapshot");

  for (let count = 1; count <= 500; count++) tick(core, count);

  const frame = await dashboard.frame("events");
  expect(frame).toMatchObject({ from: seq + 1, to: seq + 500 });
  expect(frame.ev).toMatchObject([{ seq: seq + 500, data: { toolCallCount: 500 } }]);
});

test("a client on / gets server:startup and then one message per event", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, { availableModels: async () => ["gpt-5"] });
  const client = await aLiveSocket(door.url, { path: "/" });
  await until(() => client.messages.length === 1);

  const { group, agent } = await aRunningAgent(core);
  await reportResult(core, LOCAL_USER, {
    agentId: agent.id,
    report: {
      status: "success",
      summary: "できました",
      response: "",
      editedFiles: [],
      createdFiles: [],
      errorMessage: null,
    },
  });
  await core.observe(ended(agent.id));
  await deleteGroup(core, LOCAL_USER, { groupId: group.id });
  await until(() => singles(client).some(({ type }) => type === "group:deleted"));

  const heard = singles(client);
  expect(heard[0]).toMatchObject({ type: "server:startup", data: { availableModels: ["gpt-5"] } });
  expect(heard.slice(1).map(({ seq }) => seq)).toEqual(heard.slice(1).map((_, index) => index + 1));
  expect(heard.map(({ type }) => type)).toEqual([
    "server:startup",
    "group:created",
    "agent:created",
    "agent:status_update",
    "agent:result_reported",
    "agent:status_update",
    "agent:completed",
    "group:deleted",
  ]);
  expect(heard.at(-2)?.data).toMatchObject({ groupId: group.id, agentId: agent.id });
});

test("a client on /ws that sends no hello gets single messages; a late hello still counts", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const client = await aLiveSocket(door.url);
  await until(() => client.messages.length === 1);
  expect(singles(client)).toMatchObject([{ type: "server:startup" }]);

  client.send({ t: "hello" });
  await until(() => client.messages.length === 2);
  tick(core, 1);
  await until(() => client.messages.length === 3);

  expect(client.messages.slice(1)).toMatchObject([{ t: "snapshot" }, { t: "events" }]);
});

test("a page of another site, another host name and other paths get no WebSocket", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const foreign = { headers: { origin: "https://evil.example" } };
  const rebound = { headers: { host: "evil.example" } };

  await expect(aLiveSocket(door.url, foreign)).rejects.toThrow("403");
  await expect(aLiveSocket(door.url, { ...foreign, path: "/" })).rejects.toThrow("403");
  await expect(aLiveSocket(door.url, rebound)).rejects.toThrow("403");
  await expect(aLiveSocket(door.url, { path: "/mcp" })).rejects.toThrow("404");
  const own = await aLiveSocket(door.url, { headers: { origin: door.url } });
  expect(own.closed()).toBe(false);
});

test("an invalid message is answered with what to send, and the client stays connected", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, {
    requests: new Map([
      ["config:update_role", async (data: unknown) => ({ got: data })],
      [
        "config:revalidate_model",
        async () => {
          throw new Error("secret detail");
        },
      ],
    ]),
  });
  const client = await aDashboard(door.url);
  await client.frame("snapshot");
  const from = client.messages.length;
  const wrong = [
    "no json",
    "null",
    "[]",
    '{"t":"hello","seq":-1}',
    '{"t":"hello","seq":"1"}',
    '{"type":"constructor"}',
    '{"type":7}',
    `"${"x".repeat(10_000)}"`,
  ];

  for (const message of wrong) client.send(message);
  client.socket.send(Buffer.from([0, 255, 1]));
  await until(() => client.messages.length === from + wrong.length + 1);
  for (const answer of client.messages.slice(from)) {
    expect(answer).toMatchObject({ t: "error", code: "INVALID_ARGUMENTS" });
  }

  client.send({ type: "config:update_role", data: { id: "impl-code" } });
  expect(await client.frame("done")).toMatchObject({
    of: "config:update_role",
    data: { got: { id: "impl-code" } },
  });
  client.send({ type: "config:revalidate_model" });
  await until(() => JSON.stringify(client.messages.at(-1)).includes("INTERNAL_ERROR"));
  expect(JSON.stringify(client.messages)).not.toContain("secret detail");
});

test("a message of more than a megabyte disconnects that client only", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const big = await aLiveSocket(door.url);
  const other = await aDashboard(door.url);

  big.send("x".repeat(1024 * 1024 + 1));
  await until(() => big.closed());

  tick(core, 1);
  expect(await other.frame("events")).toBeTruthy();
});

test("closing the live door disconnects every client", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core);
  const dashboard = await aDashboard(door.url);
  const seed = await aLiveSocket(door.url, { path: "/" });

  await door.close();

  await until(() => dashboard.closed() && seed.closed());
  tick(core, 1);
  expect(door.live.clientCount()).toBe(0);
});

/** The seq of a client that has read this frame. */
function seqOf(frame: ServerFrame): number | undefined {
  if (frame.t === "events") return frame.to;
  return frame.t === "resumed" ? frame.seq : undefined;
}
