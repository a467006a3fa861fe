import { expect, test } from "vitest";
import { answerOf } from "../../../test/kit/call-own-tool.ts";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import { withFakeDeadlines } from "../../../test/kit/fake-deadlines.ts";
import { aRunningAgent } from "../../../test/kit/running-agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { identifyByToken } from "../../doors/mcp/identify.ts";
import { reportResult } from "./report-result.ts";
import { resumeAgents } from "./resume-agents.ts";

const NEVER = 1_000_000;

/** A running agent of the Cursor CLI. */
async function aCursorAgent(connectWithinMs: number) {
  const core = await aCore({ settings: { connectWithinMs } });
  core.installed.add("cursor");
  const id = await aRunningAgent(core);
  return { core, id, token: core.launches[0]?.command.env["TOKEN"] ?? "" };
}

const shownOf = async (core: TestCore, agentId: AgentId) =>
  (await answerOf(core, "get_agent_status", { agentId })).degraded;

const degradedOf = async (core: TestCore, id: AgentId) =>
  (await core.store.getAgent(id))?.degraded ?? null;

const eventsOf = async (core: TestCore) =>
  (await core.store.listEvents(0, 100)).map(({ type }) => type);

test("an agent that does not connect in time is degraded, with what to do about it", async () => {
  const { core, id } = await aCursorAgent(5);

  await expect.poll(() => degradedOf(core, id)).toBe("not-connected");

  expect(await shownOf(core, id)).toEqual({
    reason: "not-connected",
    message: expect.stringMatching(/has not connected to Kuromajutsu.*kuromajutsu init/),
  });
  expect(await answerOf(core, "list_agents", { fields: ["status"] })).toMatchObject({
    agents: [{ agentId: id, degraded: { reason: "not-connected" } }],
  });
  expect(await eventsOf(core)).toContain("agent:degraded");
});

test("the first request of a degraded agent clears it", async () => {
  const { core, id, token } = await aCursorAgent(5);
  await expect.poll(() => degradedOf(core, id)).toBe("not-connected");

  await identifyByToken(core, token);

  await expect.poll(() => degradedOf(core, id)).toBeNull();
  expect((await core.store.getAgent(id))?.helloAt).toBe(core.clock.now());
  expect(await shownOf(core, id)).toBeUndefined();
  expect(await eventsOf(core)).toContain("agent:connected");
});

test("an agent that has connected does not become degraded, whatever its CLI says", async () => {
  const { core, id, token } = await aCursorAgent(NEVER);
  await identifyByToken(core, token);
  await expect.poll(async () => (await core.store.getAgent(id))?.helloAt).not.toBeNull();

  const progress = someProgress({ mcpConnected: false, end: null });
  await core.observe({ type: "progress", agentId: id, attempt: 1, progress });
  await core.observe(ended(id, { progress }));

  expect(await eventsOf(core)).not.toContain("agent:degraded");
  expect((await core.store.getResult(id))?.warnings).toEqual([]);
});

test("an agent whose CLI says that it could not connect is degraded at once", async () => {
  const { core, id } = await aCursorAgent(NEVER);

  const progress = someProgress({ mcpConnected: false, end: null });
  await core.observe({ type: "progress", agentId: id, attempt: 1, progress });
  await core.observe({ type: "progress", agentId: id, attempt: 1, progress });

  expect(await shownOf(core, id)).toMatchObject({ reason: "connection-failed" });
  expect((await eventsOf(core)).filter((type) => type === "agent:degraded")).toHaveLength(1);
});

test("an agent that ended without a connection says so in its result and is not degraded any more", async () => {
  const { core, id } = await aCursorAgent(5);
  await expect.poll(() => degradedOf(core, id)).toBe("not-connected");

  await core.observe(ended(id));

  expect(await shownOf(core, id)).toBeUndefined();
  expect((await core.store.getResult(id))?.warnings).toEqual([
    "It never connected to Kuromajutsu, so it could not report.",
  ]);
});

test("an agent that has reported without a token is not degraded", async () => {
  const { core, id } = await aCursorAgent(5);
  await expect.poll(() => degradedOf(core, id)).toBe("not-connected");
  const nothing = { editedFiles: [], createdFiles: [], errorMessage: null };
  const report = { status: "success", summary: "Done.", response: "", ...nothing } as const;

  await reportResult(core, { kind: "client" }, { agentId: id, report });

  expect(await shownOf(core, id)).toBeUndefined();
});

test("a rehearsal is never degraded", async () => {
  const { core, deadlines } = withFakeDeadlines(await aCore());
  const id = await aRunningAgent(core);
  const progress = someProgress({ mcpConnected: false, end: null });

  await core.observe({ type: "progress", agentId: id, attempt: 1, progress });

  expect(deadlines.filter(({ name }) => name.startsWith("hello"))).toEqual([]);
  expect(await degradedOf(core, id)).toBeNull();
});

test("a restarted daemon keeps a degraded agent and watches one that has not connected yet", async () => {
  const { core, id } = await aCursorAgent(5);
  await expect.poll(() => degradedOf(core, id)).toBe("not-connected");
  const again = await aCore({ store: core.store, settings: { connectWithinMs: 5 } });
  await resumeAgents(again);
  expect(await shownOf(again, id)).toMatchObject({ reason: "not-connected" });

  const silent = await aCursorAgent(NEVER);
  const next = await aCore({ store: silent.core.store, settings: { connectWithinMs: 5 } });
  await resumeAgents(next);

  await expect.poll(() => degradedOf(next, silent.id)).toBe("not-connected");
});

test("an agent that starts again without its conversation gets its time to connect anew", async () => {
  const { core, id } = await aCursorAgent(NEVER);
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error("the agent is missing");
  await core.store.transaction((unit) =>
    unit.updateAgent({ ...agent, resumeSession: "talk", degraded: "not-connected" }, agent),
  );

  const progress = someProgress({ toolCallCount: 0, lastMessage: "", end: null });
  await core.observe(ended(id, { progress, exitCode: 1 }));
  await core.quiet();
  await core.observe(started(id, 2));

  expect(await core.store.getAgent(id)).toMatchObject({ status: "running", degraded: null });
});
