import { expect, test } from "vitest";
import { aCore, ended, someProgress, type TestCore } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import type { AgentReport } from "../../domain/agents/result.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { reportCompleted, type ReportCompleted } from "./report-completed.ts";
import { reportResult } from "./report-result.ts";

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

async function reportedEvents(core: TestCore): Promise<number> {
  const events = await core.store.listEvents(0, 100);
  return events.filter((event) => event.type === "agent:result_reported").length;
}

test("a repeated report is acknowledged and changes nothing, whatever the order of its fields", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  const first = report({ editedFiles: ["a.ts", "b.ts"] });
  await reportResult(core, main, { agentId, report: first });
  const { version } = (await core.store.getAgent(agentId)) ?? {};
  const { status, ...rest } = report({ editedFiles: ["b.ts", "a.ts", "a.ts"] });

  expect(await reportResult(core, main, { agentId, report: { ...rest, status } })).toBe(agentId);

  expect(await reportedEvents(core)).toBe(1);
  expect(await core.store.getAgent(agentId)).toMatchObject({ version });
});

test.each<[string, Partial<AgentReport>]>([
  ["status", { status: "failure" }],
  ["summary", { summary: "やり直した" }],
  ["response", { response: "別の詳細" }],
  ["edited files", { editedFiles: [] }],
  ["created files", { createdFiles: ["new.ts"] }],
  ["error message", { errorMessage: "boom" }],
])("a second report with another %s is refused; the first is final", async (_what, over) => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportResult(core, main, { agentId, report: report() });

  const again = reportResult(core, main, { agentId, report: report(over) });

  await expect(again).rejects.toMatchObject({
    code: "RESULT_ALREADY_REPORTED",
    hint: expect.stringContaining("first report"),
  });
  expect(await reportedEvents(core)).toBe(1);
  expect(await core.store.getReport(agentId)).toEqual(report());
  await core.observe(ended(agentId));
  await expect(reportResult(core, main, { agentId, report: report(over) })).rejects.toMatchObject({
    code: "RESULT_ALREADY_REPORTED",
  });
  expect(await core.store.getResult(agentId)).toMatchObject({
    status: "success",
    summary: "実装した",
  });
});

test("one of two concurrent reports is registered and the other refused", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  const outcomes = await Promise.allSettled([
    reportResult(core, main, { agentId, report: report({ summary: "一つ目" }) }),
    reportResult(core, main, { agentId, report: report({ summary: "二つ目" }) }),
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "RESULT_ALREADY_REPORTED" } });
  expect(await core.store.getReport(agentId)).toMatchObject({ summary: "一つ目" });
  expect(await reportedEvents(core)).toBe(1);
});

test("a report is final after a restart of the daemon too", async () => {
  const died = await aCore();
  const agentId = await aRunningAgent(died);
  await reportResult(died, main, { agentId, report: report() });
  const core = await aCore({ store: died.store });

  await reportResult(core, main, { agentId, report: report() });
  const other = reportResult(core, main, { agentId, report: report({ summary: "別" }) });

  await expect(other).rejects.toMatchObject({ code: "RESULT_ALREADY_REPORTED" });
  expect(await reportedEvents(core)).toBe(1);
});

test("report_completed after report_result may repeat the report but not contradict it", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportResult(core, main, { agentId, report: report() });
  const completed = (input: ReportCompleted) => reportCompleted(core, main, { agentId, ...input });

  await completed({ result: "success" });
  await completed({ result: "success", summary: "実装した", response: "詳細" });

  const contradictions: ReportCompleted[] = [
    { result: "failure" },
    { result: "blocked" },
    { result: "success", summary: "別のこと" },
    { result: "success", summary: "実装した", response: "別のこと" },
  ];
  for (const input of contradictions) {
    await expect(completed(input)).rejects.toMatchObject({ code: "RESULT_ALREADY_REPORTED" });
  }
  expect(await reportedEvents(core)).toBe(1);
  expect(await core.store.getResult(agentId)).toMatchObject({ editedFiles: ["a.ts"] });
});

test("report_result after report_completed may repeat the report but not add to it", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportCompleted(core, main, { agentId, result: "blocked", summary: "止めた" });
  const same = report({
    status: "cancelled",
    summary: "止めた",
    response: "止めた",
    editedFiles: [],
  });

  await reportResult(core, main, { agentId, report: same });

  for (const over of [{ status: "success" }, { editedFiles: ["a.ts"] }] as const) {
    const other = reportResult(core, main, { agentId, report: { ...same, ...over } });
    await expect(other).rejects.toMatchObject({ code: "RESULT_ALREADY_REPORTED" });
  }
  expect(await core.store.getReport(agentId)).toMatchObject({ outcome: "blocked" });
});

test("reports of blocked and cancelled differ although they have the same status", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await reportCompleted(core, main, { agentId, result: "blocked" });

  const other = reportCompleted(core, main, { agentId, result: "cancelled" });

  await expect(other).rejects.toMatchObject({ code: "RESULT_ALREADY_REPORTED" });
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

test("a report for an unknown agent is refused", async () => {
  const core = await aCore();

  const act = reportResult(core, main, { agentId: "impl-code-1-ffff", report: report() });

  await expect(act).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
});
