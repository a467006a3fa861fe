import { expect, test } from "vitest";
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
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import type { Usage } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Identity } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { runSequential } from "../groups/run-sequential.ts";
import { notifyAgent } from "../notifications/notify-agent.ts";
import type { AgentRequest } from "./plan-agent.ts";
import { resumeAgents } from "./resume-agents.ts";
import { stopAgent } from "./stop-agent.ts";

const main: Identity = { kind: "client", cwd: "/tmp", keys: {} };
const FAILED = { exitCode: 1, progress: NO_PROGRESS, stderrTail: "No conversation found" };

function tokens(inputTokens: number): Usage {
  return { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}

async function run(core: TestCore, over: Partial<AgentRequest> = {}, as = main) {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs: null };
  const [agent] = await runAgents(core, as, {
    groupId: group.id,
    agents: [{ ...request, ...over }],
  });
  if (!agent) throw new Error("one agent was asked for");
  await core.quiet();
  return agent;
}

/** An agent that has ended, with the conversation `talk`. */
async function anEndedAgent(core: TestCore, over: Partial<AgentRequest> = {}) {
  const agent = await run(core, over);
  const progress = someProgress({ sessionId: "talk", sessionUsage: tokens(100) });
  await core.observe(started(agent.id), ended(agent.id, { progress }));
  return agent;
}

/** A core and a running agent that continues the conversation of an ended one. */
async function aContinuingAgent(over: ACore = {}) {
  const core = await aCore(over);
  const before = await anEndedAgent(core);
  const agent = await run(core, { resumeAgentId: before.id });
  await core.observe(started(agent.id));
  return { core, before, id: agent.id };
}

const statusOf = async (core: TestCore, id: AgentId) => (await core.store.getAgent(id))?.status;

test("a new agent continues the conversation of an ended one, in its directory", async () => {
  const core = await aCore();
  const before = await anEndedAgent(core, { workingDirectory: "/usr" });

  const agent = await run(core, { resumeAgentId: before.id });

  expect(agent).toMatchObject({
    resumeSession: "talk",
    resumedAgentId: before.id,
    runner: before.runner,
    workingDirectory: "/usr",
  });
  expect(core.launches.at(-1)?.progress.usageBefore).toEqual(tokens(100));
});

test("an agent of a fallback continues its conversation, although the first runner works again", async () => {
  const role = aRole({ runner: ["claude", "codex"] });
  const core = await aCore({ runners: ["claude", "codex"], roles: [role] });
  core.installed.add("codex");
  const before = await anEndedAgent(core);
  core.installed.add("claude");

  const agent = await run(core, { resumeAgentId: before.id });

  expect(before.runner).toBe("codex");
  expect(agent).toMatchObject({ runner: "codex", resumeSession: "talk" });
});

test("the runner of the continued agent is used, even if another one comes first by now", async () => {
  const core = await aCore();
  const before = await anEndedAgent(core);
  core.installed.add("cursor");

  const agent = await run(core, { resumeAgentId: before.id });

  expect(before.runner).toBe("rehearsal");
  expect(agent.runner).toBe("rehearsal");
});

test("a role that names another runner cannot continue a conversation", async () => {
  const core = await aCore({ roles: [aRole(), aRole({ id: "other", runner: "cursor" })] });
  core.installed.add("cursor");
  const before = await run(core, { role: "other" });
  await core.observe(
    started(before.id),
    ended(before.id, { progress: someProgress({ sessionId: "talk" }) }),
  );
  core.installed.add("rehearsal");

  const same = run(core, { role: "other", resumeAgentId: before.id });
  await expect(same).resolves.toMatchObject({ runner: "cursor" });

  const roles = new Map([["impl-code", aRole({ runner: "rehearsal" })]]);
  const other = run({ ...core, roles }, { resumeAgentId: before.id });
  await expect(other).rejects.toMatchObject({
    code: "AGENT_NOT_RESUMABLE",
    message: expect.stringContaining("cursor made the conversation"),
  });
});

test("an agent that is unknown, not ended or without a conversation cannot be continued", async () => {
  const core = await aCore();
  const silent = await run(core);
  const tries = (resumeAgentId: string) => run(core, { resumeAgentId });

  await expect(tries("impl-code-1-none")).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
  await expect(tries(silent.id)).rejects.toMatchObject({
    code: "AGENT_NOT_RESUMABLE",
    message: expect.stringContaining("has not ended yet"),
  });
  await core.observe(started(silent.id), ended(silent.id));
  await expect(tries(silent.id)).rejects.toMatchObject({
    code: "AGENT_NOT_RESUMABLE",
    message: expect.stringContaining("no conversation"),
  });
});

test("an agent cannot continue the conversation of an agent that it may not see", async () => {
  const core = await aCore();
  const before = await anEndedAgent(core);
  const caller = await run(core);
  const identity: Identity = { kind: "agent", agentId: caller.id, role: caller.role };

  const attempt = run(core, { resumeAgentId: before.id }, identity);

  await expect(attempt).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
});

test("two agents cannot continue the same conversation at the same time", async () => {
  const { core, before, id } = await aContinuingAgent();

  const second = run(core, { resumeAgentId: before.id });

  await expect(second).rejects.toMatchObject({
    code: "AGENT_NOT_RESUMABLE",
    message: expect.stringContaining("already"),
  });
  await core.observe(ended(id));
  await expect(run(core, { resumeAgentId: before.id })).resolves.toMatchObject({
    resumeSession: "talk",
  });
});

test("the tokens of a conversation are subtracted as its last agent counted them", async () => {
  const { core, before, id } = await aContinuingAgent();
  const progress = someProgress({ sessionId: "talk", sessionUsage: tokens(250) });
  await core.observe(ended(id, { progress }));

  await run(core, { resumeAgentId: before.id });

  expect(core.launches.at(-1)?.progress.usageBefore).toEqual(tokens(250));
});

test("a stage of a sequential group can continue a conversation", async () => {
  const core = await aCore();
  const before = await anEndedAgent(core);
  const group = await createGroup(core, main, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const task = { role: "impl-code", prompt: "続けて", workingDirectory: null, timeoutMs: null };

  const { agents } = await runSequential(core, main, {
    groupId: group.id,
    stages: [[task], [{ ...task, resumeAgentId: before.id }]],
    onFailure: "continue",
  });

  expect(agents.map(({ resumeSession }) => resumeSession)).toEqual([null, "talk"]);
});

test("an agent whose conversation is lost begins a new one, once, and says so", async () => {
  const { core, id } = await aContinuingAgent();

  await core.observe(ended(id, FAILED));
  await core.quiet();

  expect(await core.store.getAgent(id)).toMatchObject({
    status: "queued",
    process: "starting",
    attempt: 2,
    resumeSession: null,
  });
  expect(core.launches.at(-1)).toMatchObject({
    attempt: 2,
    progress: { ...NO_PROGRESS, lostSession: "talk" },
  });
  await core.observe(
    started(id, 2),
    ended(id, { attempt: 2, progress: { ...core.launches.at(-1)?.progress, ...someEnd } }),
  );
  expect(await statusOf(core, id)).toBe("completed");
  expect((await core.store.getResult(id))?.warnings).toContain(
    "The conversation talk could not be continued, so a new one was begun.",
  );
});

const someEnd = someProgress({ lostSession: "talk" });

test("a second failure of an agent whose conversation was lost is its end", async () => {
  const { core, id } = await aContinuingAgent();
  await core.observe(ended(id, FAILED));
  await core.quiet();

  const progress = { ...NO_PROGRESS, lostSession: "talk" };
  await core.observe(started(id, 2), ended(id, { ...FAILED, attempt: 2, progress }));
  await core.quiet();

  expect(await statusOf(core, id)).toBe("failed");
  expect(core.launches.at(-1)?.attempt).toBe(2);
  expect((await core.store.getResult(id))?.warnings).toContainEqual(
    expect.stringContaining("could not be continued"),
  );
});

test("an agent whose conversation was lost right before a crash starts with the next daemon", async () => {
  const { core, id } = await aContinuingAgent();

  await dyingAtCommit(core).observe(ended(id, FAILED));
  const next = await aCore({ store: core.store });
  await resumeAgents(next);
  await next.quiet();

  expect(next.adoptions).toEqual([]);
  expect(next.launches).toMatchObject([
    { agentId: id, attempt: 2, progress: { lostSession: "talk" } },
  ]);
});

test("an agent that is being stopped does not start again without its conversation", async () => {
  const { core, id } = await aContinuingAgent();
  await stopAgent(core, id, "cancelled");

  await core.observe(ended(id, FAILED));
  await core.quiet();

  expect(await statusOf(core, id)).toBe("cancelled");
  expect(core.launches.at(-1)?.attempt).toBe(1);
});

test("an agent with an open stop notification does not start again without its conversation", async () => {
  const { core, id } = await aContinuingAgent();
  await core.store.transaction((unit) =>
    notifyAgent(core, unit, {
      agentId: id,
      type: "blocked",
      text: "",
      from: "x",
      taskId: "task-1",
    }),
  );

  await core.observe(ended(id, FAILED));

  expect(await statusOf(core, id)).toBe("failed");
});

test("a stop of an agent that waits to start without its conversation cancels it", async () => {
  const { core, id } = await aContinuingAgent({ settings: { maxConcurrent: 1 } });
  const dying = dyingAtCommit(core);
  await dying.observe(ended(id, FAILED));

  await stopAgent(dying, id, "cancelled");

  expect(await statusOf(core, id)).toBe("cancelled");
  expect((await core.store.getResult(id))?.warnings).toContainEqual(
    expect.stringContaining("could not be continued"),
  );
});
