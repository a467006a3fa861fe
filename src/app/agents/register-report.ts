import { applyToAgent, isSettled, type Agent } from "../../domain/agents/agent.ts";
import { observedResult, withReport, type AgentReport } from "../../domain/agents/result.ts";
import { isSameReport, verdictOf } from "../../domain/agents/same-report.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isOver, type Execution, type Verdict } from "../../domain/tasks/execution.ts";
import { listAllApprovals } from "../approvals/list-all-approvals.ts";
import type { Core, Identity } from "../core.ts";
import { parkExecution } from "../gateway/hold-call.ts";
import { clearAllNotifications } from "../notifications/clear-notifications.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { settleExecution, stopAgentsOf } from "../tasks/execution/settle-execution.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

const LOOK_EVERY_MS = 50;
const START_SEEN_WITHIN_MS = 15_000;

export type Registered = {
  readonly agent: Agent;
  /** The execution of the agent, as it is after the report. */
  readonly execution: Execution | undefined;
};

/**
 * Registers the agent's report and, for an executor, ends its execution. The first report is final:
 * a retried call with the same report changes nothing, and a different report is refused.
 */
export async function registerReport(
  core: Core,
  unit: UnitOfWork,
  found: Agent,
  report: AgentReport,
  outcome?: Verdict,
): Promise<Registered> {
  const execution = await unit.getExecution(found.executionId ?? "");
  if (!isSettled(found)) unit.afterCommit(() => watchDeadlines(core, found, true));
  const known = await reportOf(unit, found);
  if (known && !isSameReport(known, report)) throw alreadyReported(found, known);
  if (known) return { agent: found, execution };
  const agent = await writeReport(core, unit, found, report);
  // Only the latest executor ends the execution, and only while its process is alive.
  const isExecutor = execution?.agentIds.at(-1) === found.id && !isSettled(found);
  const verdict = isExecutor && execution ? (outcome ?? verdictOf(report)) : undefined;
  const settled =
    verdict && execution
      ? await endExecution(core, unit, execution, agent, report, verdict)
      : undefined;
  if (outcome !== undefined || isExecutor) {
    await clearAllNotifications(unit, found.id, "reported", core.clock.now());
  }
  const after = settled ?? execution;
  if (after?.agentIds.includes(agent.id) && isOver(after)) {
    unit.afterCommit(() => stopAgentsOf(core, after));
  } else if (agent.taskId !== null) {
    const { taskId } = agent;
    unit.afterCommit(() => core.advanceSoon(taskId));
  }
  return { agent, execution: after };
}

function alreadyReported(agent: Agent, known: AgentReport): Refusal {
  const said = known.outcome ?? known.status;
  return new Refusal("RESULT_ALREADY_REPORTED", {
    en: [
      `Agent ${agent.id} has already reported its result (${said}); this report is different.`,
      "The first report counts and cannot be changed. Report nothing more and end; get_agent_status shows what was registered.",
    ],
    ja: [
      `エージェント ${agent.id} はすでに結果を報告しています（${said}）。今回の報告は内容が違います。`,
      "有効なのは最初の報告で、変更できません。これ以上報告せずに終わってください。登録された内容は get_agent_status で確かめられます。",
    ],
  });
}

/** An agent that has neither reported nor ended has no result. */
function isSilent(agent: Agent): boolean {
  return agent.reportedAt === null && !isSettled(agent);
}

export async function reportOf(unit: UnitOfWork, agent: Agent): Promise<AgentReport | undefined> {
  return agent.reportedAt === null ? undefined : unit.getReport(agent.id);
}

async function writeReport(
  core: Core,
  unit: UnitOfWork,
  found: Agent,
  report: AgentReport,
): Promise<Agent> {
  const now = core.clock.now();
  const agent = await unit.updateAgent(applyToAgent(found, "reported", { reportedAt: now }), found);
  await unit.putReport(found.id, report);
  const observed =
    (isSilent(found) ? undefined : await unit.getResult(found.id)) ??
    observedResult(agent, await unit.getProgress(found.id), null, now);
  await unit.putResult(found.id, withReport(observed, report));
  await unit.emit({
    type: "agent:result_reported",
    groupId: found.groupId,
    agentId: found.id,
    data: { status: report.status, summary: report.summary },
    at: now,
  });
  return agent;
}

async function endExecution(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  agent: Agent,
  report: AgentReport,
  verdict: Verdict,
): Promise<Execution | undefined> {
  const said = {
    summary: report.summary || null,
    response: report.response || null,
    error: report.errorMessage,
  };
  if (verdict !== "waiting") return settleExecution(core, unit, execution, verdict, said);
  if (execution.status === "stopping") {
    return settleExecution(core, unit, execution, execution.stopFor ?? "blocked", said);
  }
  if (await wasAsked(unit, execution, agent)) {
    await parkExecution(core, unit, agent.id);
    return undefined;
  }
  const error =
    "The executor ended in order to wait for a person, but it had asked for no decision.";
  return settleExecution(core, unit, execution, "failure", { ...said, error });
}

/** Without this we would start executors in a loop. */
async function wasAsked(unit: UnitOfWork, { id }: Execution, agent: Agent): Promise<boolean> {
  const approvals = await listAllApprovals(unit, { executionId: id });
  return approvals.some(
    ({ status, decidedAt }) =>
      status === "pending" || (decidedAt !== null && decidedAt >= agent.createdAt),
  );
}

/** An agent that reports is running, but the observation of its start may not be stored yet. */
export async function untilStarted(core: Core, agentId: string): Promise<void> {
  for (let waited = 0; waited < START_SEEN_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const agent = await core.store.getAgent(agentId);
    if (agent?.process !== "starting") return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** An id in an argument is no proof of identity. */
export function requireOwn(identity: Identity, agentId: string, tool: string): void {
  if (identity.kind !== "agent" || identity.agentId === agentId) return;
  throw new Refusal("NOT_YOUR_AGENT", {
    en: [
      `You are ${identity.agentId}; you cannot report for ${agentId}.`,
      `Call ${tool} with agentId "${identity.agentId}".`,
    ],
    ja: [
      `あなたは ${identity.agentId} なので、${agentId} の代わりに報告できません。`,
      `agentId に "${identity.agentId}" を指定して ${tool} を呼んでください。`,
    ],
  });
}
