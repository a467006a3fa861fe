import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import {
  aCore,
  aRole,
  dyingAtCommit,
  ended,
  someProgress,
  started,
  type ACore,
  type TestCore,
} from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import type { Failure, RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Role } from "../../domain/roles/role.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { tryRunner } from "../health/runner-problems.ts";
import { moveToFallbacks } from "./move-to-fallbacks.ts";
import { explainWaiting } from "./waiting-for.ts";

const NONE: AgentId = "no-agent-0";
const MINUTE = 60_000;
const CLAUDE = aRole({ runner: "claude", model: "default" });
const LIST = aRole({ runner: ["claude", "codex"], model: { claude: "sonnet", codex: "gpt" } });

async function aClaudeCore(role: Role = CLAUDE, over: ACore = {}): Promise<TestCore> {
  const runners: RunnerId[] = ["claude", "codex", "rehearsal"];
  const core = await aCore({ runners, roles: [role], ...over });
  for (const id of runners) core.installed.add(id);
  return core;
}

async function run(core: TestCore, count: number, keys = {}): Promise<readonly AgentId[]> {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const one = { role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs: null };
  const agents = await runAgents(
    core,
    { kind: "client", cwd: "/", keys },
    { groupId: group.id, agents: Array.from({ length: count }, () => one) },
  );
  await core.quiet();
  return agents.map(({ id }) => id);
}

const startedNow = (core: TestCore, id: AgentId, attempt = 1) => ({
  ...started(id, attempt),
  at: core.clock.now(),
});

function stoppedBy(failure: Failure, over: Partial<AgentProgress> = {}): AgentProgress {
  const end = { ok: false, text: "", durationMs: null, error: "usage limit reached", failure };
  return { ...NO_PROGRESS, end, ...over };
}

const QUOTA: Failure = { kind: "quota", resetsAt: NOON + 90 * MINUTE };

async function failWith(core: TestCore, id: AgentId, progress: AgentProgress, attempt = 1) {
  await core.observe(startedNow(core, id, attempt), ended(id, { exitCode: 1, progress, attempt }));
  await core.quiet();
}

const launched = (core: TestCore) => core.launches.map(({ agentId }) => agentId);
const agentOf = async (core: TestCore, id: AgentId) => {
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error(`${id} was asked for`);
  return agent;
};

async function redispatch(core: TestCore): Promise<void> {
  core.dispatchSoon();
  await core.quiet();
}

test("a quota failure pauses its runner, and queued agents wait for the reset and say so", async () => {
  const core = await aClaudeCore(CLAUDE, { settings: { maxConcurrent: 1 } });
  const [first = NONE, second = NONE] = await run(core, 2);

  await failWith(core, first, stoppedBy(QUOTA, { toolCallCount: 1 }));

  expect(launched(core)).toEqual([first]);
  expect(await core.store.getResult(first)).toMatchObject({ status: "failure", failure: QUOTA });
  const waiting = await agentOf(core, second);
  const { waitingFor: sentence } = (await explainWaiting(core, [waiting]))(waiting);
  expect(sentence).toMatch(/claude の利用枠が上限に達しています。.+ に再開します。/);
  core.advance(90 * MINUTE);
  await redispatch(core);
  expect(launched(core)).toEqual([first, second]);
});

test("an agent that a quota ended before it did anything goes back to the queue", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);

  await failWith(core, id, stoppedBy(QUOTA, { lastMessage: "You have hit your limit" }));

  expect(await agentOf(core, id)).toMatchObject({
    status: "queued",
    process: "waiting",
    startedAt: null,
    pid: null,
    tokenHash: null,
  });
  expect(await core.store.getResult(id)).toBeUndefined();
  expect(await core.store.getProgress(id)).toEqual(NO_PROGRESS);
  core.advance(90 * MINUTE);
  await redispatch(core);
  expect(core.launches.at(-1)).toMatchObject({ agentId: id, attempt: 2, progress: NO_PROGRESS });
});

test("an agent that goes back to the queue connects anew and keeps the warning of a lost session", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);
  await core.observe(startedNow(core, id));
  const agent = await agentOf(core, id);
  await core.store.transaction((unit) =>
    unit.updateAgent({ ...agent, helloAt: NOON, degraded: "not-connected" }, agent),
  );

  const progress = stoppedBy(QUOTA, { lostSession: "talk" });
  await core.observe(ended(id, { exitCode: 1, progress }));

  expect(await agentOf(core, id)).toMatchObject({ helloAt: null, degraded: null });
  expect(await core.store.getProgress(id)).toEqual({ ...NO_PROGRESS, lostSession: "talk" });
});

test.each<[string, Partial<AgentProgress>]>([
  ["called a tool", { toolCallCount: 1 }],
  ["wrote a file", { createdFiles: ["x"] }],
  ["deleted a file", { deletedFiles: ["x"] }],
  ["wrote a line that could not be read", { skippedLines: 1 }],
])("an agent that %s before a quota ended it is never repeated", async (_what, over) => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);

  await failWith(core, id, stoppedBy(QUOTA, over));

  expect(await agentOf(core, id)).toMatchObject({ status: "failed", process: "ended" });
});

test("an agent that meets a limit again and again fails at last", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);

  for (let attempt = 1; attempt <= 8; attempt++) {
    expect(await agentOf(core, id)).toMatchObject({ attempt });
    await failWith(core, id, stoppedBy({ kind: "quota", resetsAt: null }), attempt);
    core.advance(240 * MINUTE);
    await redispatch(core);
  }

  expect(await agentOf(core, id)).toMatchObject({ status: "failed" });
});

test("after a pause one agent is started as a trial, and the others after the model's answer to it", async () => {
  const core = await aClaudeCore();
  const [first = NONE, ...others] = await run(core, 1);
  await failWith(core, first, stoppedBy(QUOTA));
  others.push(...(await run(core, 3)));
  expect(launched(core)).toEqual([first]);

  core.advance(90 * MINUTE);
  await redispatch(core);
  expect(launched(core)).toEqual([first, first]);
  await redispatch(core);
  expect(launched(core)).toHaveLength(2);

  await core.observe(startedNow(core, first, 2), {
    type: "progress",
    agentId: first,
    attempt: 2,
    progress: someProgress({ end: null }),
  });
  await core.quiet();
  expect(launched(core)).toEqual([first, first, ...others]);
  expect(await core.store.listRunnerProblems()).toEqual([]);
});

test("an answer to an agent that was started before the pause does not end it", async () => {
  const core = await aClaudeCore();
  const [first = NONE, early = NONE] = await run(core, 2);
  await core.observe(startedNow(core, early));
  core.advance(MINUTE);
  await failWith(core, first, stoppedBy(QUOTA));

  await core.observe({
    type: "progress",
    agentId: early,
    attempt: 1,
    progress: someProgress({ end: null }),
  });

  expect(core.health.problem("claude")).toMatchObject({ kind: "quota" });
});

test("a pause survives the end of the daemon, also one that dies right after the commit", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);
  await failWith(dyingAtCommit(core), id, stoppedBy(QUOTA));

  const next = await aClaudeCore(CLAUDE, { store: core.store });
  await redispatch(next);

  expect(next.health.problem("claude")).toMatchObject({ kind: "quota", until: QUOTA.resetsAt });
  expect(launched(next)).toEqual([]);
  next.advance(90 * MINUTE);
  await redispatch(next);
  expect(launched(next)).toEqual([id]);
});

test("a person's try ends the pause of a runner at once; a runner that works is refused", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);
  await expect(tryRunner(core, "claude")).rejects.toMatchObject({ code: "TRANSITION_NOT_ALLOWED" });
  await failWith(core, id, stoppedBy(QUOTA));

  await tryRunner(core, "claude");
  await core.quiet();

  expect(launched(core)).toEqual([id, id]);
});

test("an agent with a client's own key neither causes a pause nor waits for one", async () => {
  const core = await aClaudeCore();
  const [mine = NONE] = await run(core, 1, { CURSOR_API_KEY: "k" });

  await failWith(core, mine, stoppedBy(QUOTA));
  expect(await agentOf(core, mine)).toMatchObject({ status: "failed" });
  expect(core.health.problems()).toEqual([]);

  const [other = NONE] = await run(core, 1);
  await failWith(core, other, stoppedBy(QUOTA));
  const [next = NONE] = await run(core, 1, { CURSOR_API_KEY: "k" });
  expect(launched(core)).toEqual([mine, other, next]);
});

test("queued agents of a paused runner move to the next runner of their role's list", async () => {
  const core = await aClaudeCore(LIST, { settings: { maxConcurrent: 1 } });
  const [first = NONE, second = NONE] = await run(core, 2);
  expect(core.launches).toMatchObject([{ agentId: first, runner: "claude" }]);

  await failWith(core, first, stoppedBy(QUOTA));

  expect(await agentOf(core, first)).toMatchObject({
    runner: "codex",
    model: "gpt",
    runnerNote: "claude is out of quota: ran with codex.",
  });
  expect(await agentOf(core, second)).toMatchObject({ runner: "codex" });
  expect(core.launches.at(-1)).toMatchObject({ agentId: first, attempt: 2, runner: "codex" });
  await core.observe(startedNow(core, first, 2), ended(first, { attempt: 2 }));
  expect((await core.store.getResult(first))?.warnings).toContain(
    "claude is out of quota: ran with codex.",
  );
});

test("an agent that continues a conversation waits for the runner that has it", async () => {
  const core = await aClaudeCore(LIST);
  const [first = NONE] = await run(core, 1);
  const agent = await agentOf(core, first);
  await core.store.transaction((unit) =>
    unit.updateAgent({ ...agent, resumeSession: "s-1" }, agent),
  );

  await failWith(core, first, stoppedBy(QUOTA));

  expect(await agentOf(core, first)).toMatchObject({ runner: "claude", status: "queued" });
});

test("a daemon that finds a paused runner moves its agents to their next runner", async () => {
  const core = await aClaudeCore(LIST);
  const [id = NONE] = await run(core, 1);
  await failWith(dyingAtCommit(core), id, stoppedBy(QUOTA));
  expect(await agentOf(core, id)).toMatchObject({ runner: "claude", status: "queued" });

  const next = await aClaudeCore(LIST, { store: core.store });
  await moveToFallbacks(next);

  expect(await agentOf(next, id)).toMatchObject({ runner: "codex" });
});

test("a signed-out CLI fails its agent, and the next agents use the next runner of the list", async () => {
  const core = await aClaudeCore(LIST);
  const [first = NONE] = await run(core, 1);

  await failWith(core, first, stoppedBy({ kind: "signed-out", resetsAt: null }));
  const [second = NONE] = await run(core, 1);

  expect(await agentOf(core, first)).toMatchObject({ status: "failed" });
  expect(await agentOf(core, second)).toMatchObject({
    runner: "codex",
    runnerNote: "claude is signed out: ran with codex.",
  });
});

test("a success of a later agent ends the state of being signed out", async () => {
  const core = await aClaudeCore();
  const [first = NONE, second = NONE] = await run(core, 2);
  await failWith(core, first, stoppedBy({ kind: "signed-out", resetsAt: null }));
  core.advance(1);

  await core.observe(startedNow(core, second), ended(second));

  expect(core.health.problems()).toEqual([]);
});

test("an overload causes a short pause, after which the agent is started again", async () => {
  const core = await aClaudeCore();
  const [id = NONE] = await run(core, 1);

  await failWith(core, id, stoppedBy({ kind: "overloaded", resetsAt: null }));
  await redispatch(core);
  expect(launched(core)).toEqual([id]);
  core.advance(MINUTE / 2);
  await redispatch(core);

  expect(launched(core)).toEqual([id, id]);
});
