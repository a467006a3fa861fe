import { expect, test } from "vitest";
import { aCore, ended, someProgress } from "../../test/kit/core.ts";
import { aRunningAgent, main } from "../../test/kit/running-agent.ts";
import type { AgentReport } from "../domain/result.ts";
import { createGroup } from "./create-group.ts";
import { reportResult } from "./report-result.ts";
import { runAgents } from "./run-agents.ts";

function report(over: Partial<AgentReport> = {}): AgentReport {
  return {
    status: "success",
    summary: "実装した",
    response: "詳細",
    editedFiles: ["a.ts"],
    createdFiles: [],
    errorMessage: null,
    ...over,
  };
}

test("an agent's report is merged with what was observed when its process ends", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  await reportResult(
    core,
    { kind: "agent", agentId, role: "impl-code" },
    { agentId, report: report() },
  );
  core.advance(1_500);
  await core.observe(ended(agentId, { progress: someProgress({ editedFiles: ["b.ts"] }) }));

  expect(await core.store.getAgent(agentId)).toMatchObject({
    status: "resultReported",
    process: "ended",
  });
  expect(await core.store.getResult(agentId)).toMatchObject({
    status: "success",
    summary: "実装した",
    editedFiles: ["b.ts", "a.ts"],
    toolCallCount: 3,
    durationMs: 1_500,
    exitCode: 0,
  });
});

test("an agent may report only for itself", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  const other = await aRunningAgent(core);

  const act = reportResult(
    core,
    { kind: "agent", agentId: other, role: "impl-code" },
    { agentId, report: report() },
  );

  await expect(act).rejects.toMatchObject({ code: "NOT_YOUR_AGENT" });
  expect(await core.store.getReport(agentId)).toBeUndefined();
});

test("the same report twice is one event; a different one replaces it", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  const reported = async () =>
    (await core.store.listEvents(0, 100)).filter((event) => event.type === "agent:result_reported")
      .length;

  await reportResult(core, main, { agentId, report: report() });
  await reportResult(core, main, { agentId, report: report() });
  expect(await reported()).toBe(1);

  await reportResult(core, main, { agentId, report: report({ summary: "やり直した" }) });
  expect(await reported()).toBe(2);
  expect((await core.store.getResult(agentId))?.summary).toBe("やり直した");
});

test("a report after the end keeps the exit code and warnings that were observed", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await core.observe(
    ended(agentId, { exitCode: 3, stderrTail: "boom", progress: someProgress({ end: null }) }),
  );
  expect(await core.store.getResult(agentId)).toMatchObject({
    status: "failure",
    errorMessage: "boom",
  });

  await reportResult(core, main, { agentId, report: report({ status: "failure" }) });

  expect(await core.store.getAgent(agentId)).toMatchObject({ status: "resultReported" });
  expect(await core.store.getResult(agentId)).toMatchObject({ exitCode: 3, errorMessage: "boom" });
});

test("a queued agent cannot have a result yet", async () => {
  const core = await aCore({ settings: { maxConcurrent: 1 } });
  await aRunningAgent(core);
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [queued] = await runAgents(core, main, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });

  const act = reportResult(core, main, { agentId: queued?.id ?? "", report: report() });

  await expect(act).rejects.toMatchObject({ code: "TRANSITION_NOT_ALLOWED" });
});

test("a report for nobody is refused", async () => {
  const core = await aCore();

  const act = reportResult(core, main, { agentId: "impl-code-1-ffff", report: report() });

  await expect(act).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
});
