import { expect, test } from "vitest";
import { answerOf } from "../../../../../test/kit/call-own-tool.ts";
import { aCore, ended, someProgress, type TestCore } from "../../../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../../../test/kit/running-agent.ts";
import { reportResult } from "../../../../app/agents/report-result.ts";
import { createGroup } from "../../../../app/groups/create-group.ts";
import { runAgents } from "../../../../app/groups/run-agents.ts";
import type { AgentId } from "../../../../domain/ids.ts";

const report = {
  status: "success",
  summary: "Wrote the login.\nAll tests pass.",
  response: "…",
  editedFiles: [],
  createdFiles: [],
  errorMessage: null,
} as const;

test("wait_agent says in one line what each finished agent did", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportResult(core, main, { agentId, report });
  await core.observe(ended(agentId));

  expect(await answerOf(core, "wait_agent", { agentIds: [agentId] })).toEqual({
    completed: [
      {
        agentId,
        status: "resultReported",
        duration_ms: 0,
        summary: "Wrote the login. All tests pass.",
      },
    ],
    pending: [],
    timedOut: false,
  });
});

test("summaries can be left out", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportResult(core, main, { agentId, report });
  await core.observe(ended(agentId));

  expect(
    await answerOf(core, "wait_agent", { agentIds: [agentId], summaries: false }),
  ).toHaveProperty("completed", [{ agentId, status: "resultReported", duration_ms: 0 }]);
});

test("an agent that reported a failure shows that, and an ended one why", async () => {
  const core = await aCore();
  const reported = await aRunningAgent(core);
  const crashed = await aRunningAgent(core);
  await reportResult(core, main, {
    agentId: reported,
    report: { ...report, status: "failure", summary: "No tests." },
  });
  await core.observe(
    ended(reported),
    ended(crashed, { exitCode: 1, stderrTail: "No key\n", progress: someProgress({ end: null }) }),
  );

  expect(await answerOf(core, "wait_agent", { agentIds: [reported, crashed] })).toMatchObject({
    completed: [
      {
        agentId: reported,
        status: "resultReported",
        resultStatus: "failure",
        summary: "No tests.",
      },
      { agentId: crashed, status: "failed", resultStatus: "failure", summary: "No key" },
    ],
  });
});

test("an agent whose CLI could not be started says so, beside one that was", async () => {
  const core = await aCore();
  const [good, bad] = [await aRunningAgent(core), await aQueuedAgent(core)];
  await core.observe(ended(good), {
    type: "start_failed",
    agentId: bad,
    attempt: 1,
    error: "The command /bin/agent is not executable.",
  });

  expect(await answerOf(core, "wait_agent", { agentIds: [good, bad] })).toMatchObject({
    completed: [
      { agentId: good, status: "completed" },
      {
        agentId: bad,
        status: "failed",
        resultStatus: "failure",
        summary: "The agent could not be started: The command /bin/agent is not executable.",
      },
    ],
  });
});

test("a chunk that ended early says in a few words what to do next", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  const answer = await answerOf(core, "wait_agent", { agentIds: [agentId] });

  expect(answer).toMatchObject({ completed: [], pending: [agentId], waitMore: true });
  expect(JSON.stringify(answer).length).toBeLessThan(250);
});

async function aQueuedAgent(core: TestCore): Promise<AgentId> {
  const group = { description: "x", mode: "concurrent", parentGroupId: null } as const;
  const { id: groupId } = await createGroup(core, main, group);
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  const [agent] = await runAgents(core, main, { groupId, agents: [request] });
  if (!agent) throw new Error("one agent was asked for");
  await core.quiet();
  return agent.id;
}
