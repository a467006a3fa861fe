import { expect, test } from "vitest";
import { anHttpClient } from "../kit/daemon.ts";
import { playAgents, playGroups, playOrchestrator, playPlans } from "./mcp-scenarios.ts";
import { aRecordedClient, aWorld, overHttp, overStdio } from "./world.ts";

test("initialize, tools/list and refusals of the protocol are as recorded over stdio and HTTP", async () => {
  const { place, url, recorder } = await aWorld("mcp-protocol", { mcpServers: {} });
  for (const [who, rpc] of [
    ["stdio", overStdio(place)],
    ["http", overHttp(url)],
  ] as const) {
    const client = await aRecordedClient(recorder, who, rpc);
    await client.list();
    recorder.add(`${who}: ping`, await rpc("ping"));
    recorder.add(`${who}: unknown method`, await rpc("nothing/here"));
    await client.call("nothing_here");
    await client.call("list_roles");
    await client.call("list_roles", { unknown: 1 });
  }
  const wrongToken = overHttp(url, { authorization: "Bearer wrong" });
  recorder.add("wrong token: tools/list", await wrongToken("tools/list"));
  const modern = await anHttpClient(url, { era: "modern" });
  recorder.add("modern: server", {
    capabilities: modern.client.getServerCapabilities(),
    name: modern.client.getServerVersion()?.name,
  });
  recorder.add("modern: list_roles", await modern.call("list_roles"));
  expect(recorder.differences()).toEqual([]);
});

test("every tool of the main agent for groups answers and refuses as recorded", async () => {
  const world = await aWorld("mcp-groups", { mcpServers: {} });
  const { place, recorder } = world;
  await playGroups(world, await aRecordedClient(recorder, "main", overStdio(place)));
  expect(recorder.differences()).toEqual([]);
});

test("stages and an orchestrator run and answer over MCP as recorded", async () => {
  const world = await aWorld("mcp-plans", { mcpServers: {} });
  const { place, recorder } = world;
  await playPlans(world, await aRecordedClient(recorder, "main", overStdio(place)));
  expect(recorder.differences()).toEqual([]);
});

test("agents get their tools, notices and refusals over MCP as recorded", async () => {
  const world = await aWorld("mcp-agents");
  const { url, recorder } = world;
  await playAgents(world, (headers) => overHttp(url, headers));
  expect(recorder.differences()).toEqual([]);
});

test("the tools of an orchestrator answer and refuse over MCP as recorded", async () => {
  const world = await aWorld("mcp-orchestrator", { mcpServers: {} });
  const { url, recorder } = world;
  await playOrchestrator(world, (headers) => overHttp(url, headers));
  expect(recorder.differences()).toEqual([]);
});
