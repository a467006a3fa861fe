import { expect, test } from "vitest";
import {
  aCore,
  ended,
  someProgress,
  started,
  type ACore,
  type TestCore,
} from "../../../test/kit/core.ts";
import { withFakeDeadlines } from "../../../test/kit/fake-deadlines.ts";
import type { AgentId } from "../../domain/ids.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { resumeAgents } from "./resume-agents.ts";
import { stopAgent } from "./stop-agent.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;

async function aLaunchedAgent(over: ACore = {}, timeoutMs: number | null = null) {
  const core = await aCore(over);
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(
    core,
    { kind: "client", cwd: "/", keys: {} },
    {
      groupId: group.id,
      agents: [{ role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs }],
    },
  );
  if (!agent) throw new Error("one agent was asked for");
  await core.quiet();
  return { core, id: agent.id };
}

const statusOf = async (core: TestCore, id: AgentId) => (await core.store.getAgent(id))?.status;

/** Exit code 0 alone is no success: the stream must have ended with a successful result. */
const ENDS: [string, Parameters<typeof ended>[1], string, string][] = [
  ["exit 0 with a success event", {}, "completed", "success"],
  ["exit 0 without a result event", { progress: someProgress({ end: null }) }, "failed", "failure"],
  [
    "exit 0 with an error result",
    { progress: someProgress({ end: { ok: false, text: "", durationMs: null, error: "quota" } }) },
    "failed",
    "failure",
  ],
  ["a non-zero exit code", { exitCode: 2, stderrTail: "boom" }, "failed", "failure"],
  ["no exit code at all", { exitCode: null }, "lost", "failure"],
];

test("an agent whose spool files were deleted says so in its result", async () => {
  const { core, id } = await aLaunchedAgent();

  await core.observe(started(id), ended(id, { exitCode: null, filesLost: true }));

  const result = await core.store.getResult(id);
  expect(await statusOf(core, id)).toBe("lost");
  expect(result?.errorMessage).toContain("were deleted while it ran");
  expect(result?.warnings).toContainEqual(expect.stringContaining("were deleted while it ran"));
});

test("an agent with a spool file that cannot be read says so in its result", async () => {
  const { core, id } = await aLaunchedAgent();

  await core.observe(started(id), ended(id, { exitCode: 0, unreadable: "ELOOP: open" }));

  const result = await core.store.getResult(id);
  expect(result?.warnings).toContainEqual(expect.stringMatching(/could not be read.*ELOOP/));
});

for (const [what, end, status, result] of ENDS) {
  test(`${what} settles the agent as ${status}`, async () => {
    const { core, id } = await aLaunchedAgent();

    await core.observe(started(id), ended(id, end));

    expect(await statusOf(core, id)).toBe(status);
    expect((await core.store.getResult(id))?.status).toBe(result);
    expect((await core.store.getAgent(id))?.tokenHash).toBeNull();
  });
}

test("observations of an abandoned attempt change nothing", async () => {
  const { core, id } = await aLaunchedAgent();
  await core.observe({ type: "not_launched", agentId: id, attempt: 1 });
  await core.quiet();
  expect(core.launches.map((launch) => launch.attempt)).toEqual([1, 2]);

  await core.observe(started(id, 1), ended(id, { attempt: 1 }));

  expect(await statusOf(core, id)).toBe("queued");
});

test("an attempt that never ran is launched again with a new token", async () => {
  const { core, id } = await aLaunchedAgent();
  const before = (await core.store.getAgent(id))?.tokenHash;

  await core.observe({ type: "not_launched", agentId: id, attempt: 1 });
  await core.quiet();

  const agent = await core.store.getAgent(id);
  expect(agent?.attempt).toBe(2);
  expect(agent?.tokenHash).not.toBe(before);
});

test("an agent that was being stopped before it ran is cancelled, not launched again", async () => {
  const { core, id } = await aLaunchedAgent();
  await stopAgent(core, id, "cancelled");

  await core.observe({ type: "not_launched", agentId: id, attempt: 1 });
  await core.quiet();

  expect(core.launches).toHaveLength(1);
  expect(await statusOf(core, id)).toBe("cancelled");
});

test("a CLI that cannot be executed fails the agent and says why", async () => {
  const { core, id } = await aLaunchedAgent();

  await core.observe({ type: "start_failed", agentId: id, attempt: 1, error: "EACCES" });

  expect(await statusOf(core, id)).toBe("failed");
  expect((await core.store.getResult(id))?.errorMessage).toContain("EACCES");
});

test("an agent that exceeds its time limit is stopped and settled as timed out", async () => {
  const { core, id } = await aLaunchedAgent({}, 5);
  await core.observe(started(id));

  await expect.poll(() => core.stops).toEqual([{ agentId: id, signal: "SIGTERM" }]);
  await core.observe(ended(id, { exitCode: 143, progress: someProgress({ end: null }) }));

  expect(await statusOf(core, id)).toBe("timedOut");
  expect(await core.store.getResult(id)).toMatchObject({
    status: "timeout",
    summary: "できました",
    errorMessage: "Stopped at its time limit.",
  });
});

test("a process that stays after its last event is ended and keeps its success", async () => {
  const { core, id } = await aLaunchedAgent({ settings: { lingerMs: 5 } });
  await core.observe(started(id), {
    type: "progress",
    agentId: id,
    attempt: 1,
    progress: someProgress(),
  });

  await expect.poll(() => core.stops).toHaveLength(1);
  await core.observe(ended(id, { exitCode: 143 }));

  expect(await statusOf(core, id)).toBe("completed");
});

test("a process whose last event was taken back is not ended", async () => {
  const { core: real, id } = await aLaunchedAgent();
  const { core, pass } = withFakeDeadlines(real);
  const progress = { type: "progress", agentId: id, attempt: 1 } as const;
  await core.observe(started(id), { ...progress, progress: someProgress() });
  await core.observe({ ...progress, progress: someProgress({ end: null }) });

  pass("linger of attempt 1");
  await core.quiet();
  expect(core.stops).toEqual([]);

  await core.observe({ ...progress, progress: someProgress() });
  pass("linger of attempt 1");
  await expect.poll(() => core.stops.length).toBeGreaterThan(0);
});

test("an agent that writes too much is stopped and failed", async () => {
  const { core, id } = await aLaunchedAgent();

  await core.observe(started(id), { type: "spool_limit_reached", agentId: id, attempt: 1 });
  await core.observe(ended(id, { exitCode: 137 }));

  expect(core.stops).toHaveLength(1);
  expect((await core.store.getResult(id))?.errorMessage).toContain("maxSpool_bytes");
});

test("a restarted daemon adopts live agents and continues a stop that had begun", async () => {
  const { core, id } = await aLaunchedAgent();
  await core.observe(started(id));
  await stopAgent(core, id, "timeout");
  core.stops.length = 0;

  const count = await resumeAgents(core);

  expect(count).toBe(1);
  expect(core.adoptions).toMatchObject([
    { agentId: id, process: { pid: 4_242, start: "99", bootId: "boot" } },
  ]);
  expect(core.stops).toEqual([{ agentId: id, signal: "SIGTERM" }]);
});

test("a read-only role that wrote files says so in its result", async () => {
  const { core, id } = await aLaunchedAgent({});
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error("it was launched");
  await core.store.transaction((unit) =>
    unit.updateAgent({ ...agent, access: "read-only" }, agent),
  );

  await core.observe(started(id), ended(id, { progress: someProgress({ editedFiles: ["x"] }) }));

  expect((await core.store.getResult(id))?.warnings.join()).toContain("read-only");
});

test("an agent's run time counts from its observed start, even if start and end are recorded together", async () => {
  const { core, id } = await aLaunchedAgent();
  const seen = started(id);
  core.advance(1_500);

  await core.observe(seen, ended(id));

  expect(await core.store.getResult(id)).toMatchObject({ durationMs: 1_500 });
});
