import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until } from "../kit/daemon.ts";
import { aDashboard, aFollower, aLiveSocket, singles } from "../kit/live-client.ts";

/** The event names of single messages that one run of agents causes (docs/rest-and-live.md). */
const NAMES = [
  "server:startup",
  "group:created",
  "agent:created",
  "agent:status_update",
  "agent:result_reported",
  "agent:completed",
  "group:deleted",
];

test("a dashboard that disconnects repeatedly follows three agents without a gap, also across a killed daemon", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const single = await aLiveSocket(first.url, { path: "/" });
  const follower = aFollower();
  const groupId = await aGroup(client, "実況");
  const script = "#rehearsal sleep 200\n#rehearsal deltas 300\n#rehearsal sleep 200\n";
  const agentIds = await runAll(client, groupId, [
    { prompt: script },
    { prompt: script, role: "impl-test" },
    { prompt: script, role: "code-review" },
  ]);

  const ends = new AbortController();
  const done = waitForAll(client, agentIds).finally(() => ends.abort());
  while (!ends.signal.aborted) {
    const dashboard = await aDashboard(first.url, follower.hello());
    await until(() => dashboard.messages.length >= 2 || ends.signal.aborted);
    dashboard.socket.terminate();
    for (const frame of dashboard.frames()) follower.take(frame);
  }
  await done;
  await client.call("delete_group", { groupId });
  await until(() => singles(single).some(({ type }) => type === "group:deleted"));
  const last = await aDashboard(first.url, follower.hello());
  await last.frame("resumed");
  for (const frame of last.frames()) follower.take(frame);

  expect(follower.problems).toEqual([]);
  expect(follower.count("snapshot")).toBe(1);
  for (const agentId of agentIds) {
    expect(follower.stateOf(agentId)).toMatchObject({ agentId, status: "resultReported" });
  }
  const heard = singles(single);
  expect(heard[0]?.type).toBe("server:startup");
  expect(NAMES.filter((name) => !heard.some(({ type }) => type === name))).toEqual([]);
  const seqs = heard.slice(1).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));

  await first.kill("SIGKILL");
  await until(() => last.closed());
  const second = await aDaemon(place);
  const again = await aDashboard(second.url, follower.hello());
  const snapshot = await again.frame("snapshot");
  expect(snapshot.epoch).not.toBe(follower.hello().epoch);
  expect(snapshot.state.agents.map(({ agentId }) => agentId).sort()).toEqual(agentIds.sort());
});

const transcript = z.object({
  lines: z.array(z.string()),
  nextOffset: z.number(),
  size: z.number(),
});

test("an agent's transcript can be read in pages over REST, and the agent is in the history", async () => {
  const daemon = await aDaemon(aPlace());
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client, "記録");
  const [agentId = ""] = await runAll(client, groupId, [
    { prompt: `#rehearsal deltas 200\n#rehearsal say ${"長い話。".repeat(100)}` },
  ]);
  await waitForAll(client, [agentId]);
  const get = async (path: string): Promise<unknown> => (await fetch(daemon.url + path)).json();

  const pages = [transcript.parse({ lines: [], nextOffset: 0, size: 1 })];
  for (let page = pages[0]; page && page.nextOffset < page.size; pages.push(page)) {
    const path = `/api/agents/${agentId}/transcript?offset=${page.nextOffset}&maxBytes=4096`;
    page = transcript.parse(await get(path));
  }
  const lines = pages.flatMap((page) => page.lines);

  expect(pages.length).toBeGreaterThan(3);
  expect(lines.length).toBeGreaterThan(200);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(lines.join("\n")).toContain("長い話。");
  expect(await get(`/api/history?groupId=${groupId}`)).toMatchObject({
    entries: [{ agentId, groupDescription: "記録", status: "resultReported", result: "success" }],
  });
  expect(await get("/api/openapi.json")).toMatchObject({ openapi: "3.1.0" });
});

test("a page of another site can use neither the WebSocket nor REST of the daemon", async () => {
  const daemon = await aDaemon(aPlace());
  const headers = { origin: "https://evil.example" };

  await expect(aLiveSocket(daemon.url, { headers })).rejects.toThrow("403");
  await expect(aLiveSocket(daemon.url, { headers, path: "/" })).rejects.toThrow("403");
  expect((await fetch(`${daemon.url}/api/agents`, { headers })).status).toBe(403);
});
