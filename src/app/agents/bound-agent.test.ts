import { expect, test } from "vitest";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import { withFakeDeadlines } from "../../../test/kit/fake-deadlines.ts";
import { aRunningAgent } from "../../../test/kit/running-agent.ts";
import type { Bounds } from "../../domain/agents/bounds.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentId } from "../../domain/ids.ts";
import { resumeAgents } from "./resume-agents.ts";

const NONE: Bounds = { maxRetries: 0, maxRetryTimeMs: 0, maxEvents: 0, maxToolCalls: 0 };

const retrying = (count: number, inARow: number): Partial<AgentProgress> => ({
  end: null,
  retries: {
    count,
    inARow,
    lastReason: "529 overloaded",
    lastFailure: { kind: "overloaded", resetsAt: null },
  },
});

async function aBoundAgent(bounds: Partial<Bounds>) {
  const core = await aCore({ settings: { bounds: { ...NONE, ...bounds } } });
  return { core, id: await aRunningAgent(core) };
}

const observe = (core: TestCore, id: AgentId, over: Partial<AgentProgress>) =>
  core.observe({ type: "progress", agentId: id, attempt: 1, progress: someProgress(over) });

test.each<[keyof Bounds, Bounds[keyof Bounds], Partial<AgentProgress>]>([
  ["maxRetries", 5, retrying(6, 6)],
  ["maxEvents", 100, { end: null, lines: 101 }],
  ["maxToolCalls", 10, { end: null, toolCallCount: 11 }],
])("an agent that passes agent.%s is stopped, and its result names it", async (name, max, over) => {
  const { core, id } = await aBoundAgent({ [name]: max });

  await observe(core, id, over);
  expect(core.stops).toEqual([{ agentId: id, signal: "SIGTERM" }]);
  await core.observe(ended(id, { exitCode: 143, progress: someProgress(over) }));

  expect(await core.store.getAgent(id)).toMatchObject({ status: "failed" });
  expect((await core.store.getResult(id))?.errorMessage).toContain(`agent.${name}`);
});

test("an agent that retries too often in a row fails with the last reason and its kind", async () => {
  const { core, id } = await aBoundAgent({ maxRetries: 5 });

  await observe(core, id, retrying(6, 6));
  await core.observe(ended(id, { exitCode: 143, progress: someProgress(retrying(6, 6)) }));

  expect(await core.store.getResult(id)).toMatchObject({
    errorMessage: expect.stringContaining("The last reason: 529 overloaded"),
    failure: { kind: "overloaded" },
  });
});

test("an agent that passed a bound is stopped by the next daemon, too", async () => {
  const { core, id } = await aBoundAgent({ maxToolCalls: 10 });
  await observe(core, id, { end: null, toolCallCount: 11 });
  core.stops.length = 0;

  await resumeAgents(core);

  expect(await core.store.getAgent(id)).toMatchObject({ stopReason: "tool_call_limit" });
  expect(core.stops).toHaveLength(1);
});

test("an agent that has ended its work is not stopped for a bound", async () => {
  const { core, id } = await aBoundAgent({ maxToolCalls: 10 });

  await observe(core, id, { toolCallCount: 11 });

  expect(core.stops).toEqual([]);
});

test("an agent that only retries is stopped after agent.maxRetryTime_ms", async () => {
  const { core, id } = await aBoundAgent({ maxRetryTimeMs: 5 });

  await observe(core, id, retrying(1, 1));

  await expect.poll(() => core.stops).toHaveLength(1);
  await core.observe(ended(id, { exitCode: 143, progress: someProgress(retrying(1, 1)) }));
  expect((await core.store.getResult(id))?.errorMessage).toContain("agent.maxRetryTime_ms");
});

test("the next daemon watches an agent that retries", async () => {
  const { core, id } = await aBoundAgent({ maxRetryTimeMs: 5 });
  await core.observe(started(id));
  await core.store.transaction((unit) => unit.putProgress(id, someProgress(retrying(1, 1))));

  await resumeAgents(core);

  await expect.poll(() => core.stops).toHaveLength(1);
});

test("an agent whose model has answered since its retries goes on", async () => {
  const { core: real, id } = await aBoundAgent({ maxRetryTimeMs: 5 });
  const { core, pass } = withFakeDeadlines(real);

  await observe(core, id, retrying(1, 1));
  await observe(core, id, retrying(1, 0));
  pass("retrying of attempt 1");
  await core.quiet();
  expect(core.stops).toEqual([]);

  await observe(core, id, retrying(1, 1));
  pass("retrying of attempt 1");
  await expect.poll(() => core.stops.length).toBeGreaterThan(0);
});
