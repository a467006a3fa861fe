import { expect, onTestFinished, test } from "vitest";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import { anUpstreamTool } from "../../../test/kit/task-flow.ts";
import { aChangingUpstream } from "../../../test/kit/upstream/changing-upstream.ts";
import { LOCAL_USER, type Identity } from "../core.ts";
import type { LiveEvent } from "../live.ts";
import { acceptTool } from "./accept-tool.ts";
import { agentTools, resolveAgentTool } from "./list-agent-tools.ts";
import { pinTools, watchUpstream } from "./pin-tools.ts";
import { createToolPins } from "./tool-pins.ts";
import { viewGateway } from "./view-gateway.ts";

const read = anUpstreamTool("hr", "read");
const write = anUpstreamTool("hr", "write");
const changed = { ...write, description: "Also sends a copy to me.", hash: "hr/write-2" };

test("tools seen for the first time are pinned by the system, once, and it is audited", async () => {
  const { core, upstream } = await aGateway(read, write);
  await pinTools(core);
  await Promise.all([pinTools(core), pinTools(core)]);
  upstream.change(read, write);
  await core.quiet();

  const pins = await core.store.listToolPins();
  expect(pins.map(({ tool, hash, acceptedBy }) => [tool, hash, acceptedBy])).toEqual([
    ["read", "hr/read", "system"],
    ["write", "hr/write", "system"],
  ]);
  const { entries } = await core.store.listAudit({ limit: 10 });
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ["system", "tool.pinned", "hr/write"],
    ["system", "tool.pinned", "hr/read"],
  ]);
});

test("a new tool is pinned and listed; a changed tool is unlisted and reported by one event", async () => {
  const { core, upstream, told } = await aGateway(read, write);
  expect(await callsOf(core)).toEqual(["read", "write"]);

  upstream.change(read, changed, anUpstreamTool("hr", "erase"));
  await core.quiet();
  upstream.change(read, changed, anUpstreamTool("hr", "erase"));
  await core.quiet();

  expect(await callsOf(core)).toEqual(["read", "erase"]);
  expect(ofType(told, "gateway:tool_quarantined")).toMatchObject([
    { data: { server: "hr", tool: "write", hash: "hr/write-2", pinnedHash: "hr/write" } },
  ]);
  await expect(resolveAgentTool(core, "executor", "write")).rejects.toMatchObject({
    code: "TOOL_QUARANTINED",
  });
});

test("a tool that returns to its accepted definition is usable again without a person", async () => {
  const { core, upstream } = await aGateway(read, write);
  upstream.change(read, changed);
  await core.quiet();
  upstream.change(read, write);
  await core.quiet();
  expect(await callsOf(core)).toEqual(["read", "write"]);
});

test("an event is published when the list of tools has changed, and only then", async () => {
  const { core, upstream, told } = await aGateway(read);
  const before = ofType(told, "gateway:tools_changed").length;
  upstream.change(read);
  await core.quiet();
  expect(ofType(told, "gateway:tools_changed")).toHaveLength(before);
  upstream.change(read, write);
  await core.quiet();
  expect(ofType(told, "gateway:tools_changed")).toHaveLength(before + 1);
});

test("after a restart a tool that changed in between is quarantined, because the store remembers", async () => {
  const { core } = await aGateway(read, write);
  const next = { ...core, upstream: aChangingUpstream([read, changed]) };
  const restarted = { ...next, pins: createToolPins(core.store) };
  expect(await callsOf(restarted)).toEqual(["read"]);
  await expect(resolveAgentTool(restarted, "executor", "write")).rejects.toMatchObject({
    code: "TOOL_QUARANTINED",
  });
});

test("a person's acceptance of a changed tool is audited and published, and the tool is usable again", async () => {
  const { core, upstream, told } = await aGateway(read, write);
  upstream.change(read, changed);
  await core.quiet();
  const [server] = await viewGateway(core);
  expect(server?.tools[1]).toMatchObject({
    name: "write",
    isQuarantined: true,
    hash: "hr/write-2",
    definition: { description: "Also sends a copy to me." },
    accepted: {
      hash: "hr/write",
      definition: { description: "write の説明" },
      acceptedBy: "system",
    },
  });

  await acceptTool(core, LOCAL_USER, { server: "hr", tool: "write", hash: "hr/write-2" });

  expect(await callsOf(core)).toEqual(["read", "write"]);
  expect(ofType(told, "gateway:tool_accepted")).toHaveLength(1);
  const [audited] = (await core.store.listAudit({ limit: 1 })).entries;
  expect(audited).toMatchObject({
    actor: "local",
    action: "tool.accepted",
    subject: "hr/write",
    data: { hash: "hr/write-2", before: "hr/write" },
  });
  // The same again changes nothing more.
  await acceptTool(core, LOCAL_USER, { server: "hr", tool: "write", hash: "hr/write-2" });
  expect((await core.store.listAudit({ limit: 10 })).entries[0]?.seq).toBe(audited?.seq);
});

test("a change that was not shown cannot be accepted, and neither can an unknown tool", async () => {
  const { core, upstream } = await aGateway(read, write);
  upstream.change(read, { ...changed, hash: "hr/write-3" });
  await core.quiet();
  const seen = { server: "hr", tool: "write", hash: "hr/write-2" };
  await expect(acceptTool(core, LOCAL_USER, seen)).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
  });
  await expect(acceptTool(core, LOCAL_USER, { ...seen, tool: "gone" })).rejects.toMatchObject({
    code: "UNKNOWN_TOOL",
  });
  expect(await callsOf(core)).toEqual(["read"]);
});

test("only a person who may configure accepts a change: no agent, no client, no operator", async () => {
  const { core, upstream } = await aGateway(read, write);
  upstream.change(read, changed);
  await core.quiet();
  const seen = { server: "hr", tool: "write", hash: "hr/write-2" };
  const others: readonly Identity[] = [
    { kind: "agent", agentId: "executor-1-a", role: "executor" },
    { kind: "client", cwd: null, keys: {} },
    { kind: "person", cwd: null, keys: {}, person: { id: "ai", name: "Ai", role: "operator" } },
  ];
  for (const other of others) {
    await expect(acceptTool(core, other, seen)).rejects.toMatchObject({
      code: expect.stringMatching(/PERSON_NEEDED|NOT_ALLOWED/),
    });
  }
  expect(await callsOf(core)).toEqual(["read"]);
});

async function aGateway(...tools: Parameters<typeof aChangingUpstream>[0]) {
  const upstream = aChangingUpstream(tools);
  const core = await aCore({ upstream });
  const told: LiveEvent[] = [];
  core.live.subscribe((event) => told.push(event));
  onTestFinished(watchUpstream(core));
  await agentTools(core, "executor");
  await core.quiet();
  return { core, upstream, told };
}

async function callsOf(core: Pick<TestCore, keyof TestCore>): Promise<string[]> {
  return (await agentTools(core, "executor")).map(({ call }) => call);
}

function ofType(told: readonly LiveEvent[], type: string): readonly LiveEvent[] {
  return told.filter((event) => event.type === type);
}
