import { applyToAgent, isSettled, type Agent } from "../../domain/agents/agent.ts";
import { observedResult, withReport, type AgentReport } from "../../domain/agents/result.ts";
import { isSameReport, verdictOf } from "../../domain/agents/same-report.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isOver, type Execution, type ExecutionOutcome } from "../../domain/tasks/execution.ts";
import type { Core, Identity } from "../core.ts";
import { parkIn } from "../gateway/hold-call.ts";
import { clearNotificationsIn } from "../notifications/clear-notifications.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { afterSettling, settleExecutionIn } from "../tasks/execution/settle-execution.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

const PAGE_LIMIT = 500;
const LOOK_EVERY_MS = 50;
const START_SEEN_WITHIN_MS = 15_000;

export type Registered = {
  readonly agent: Agent;
  /** The execution it works on, as it stands now. */
  readonly execution: Execution | undefined;
  readonly events: readonly StoredEvent[];
};

/**
 * Registers the agent's report and, for an executor, ends its execution. The first report is final:
 * a retried call with the same report changes nothing, and a different report is refused.
 */
export async function registerReportIn(
  core: Core,
  unit: UnitOfWork,
  found: Agent,
  report: AgentReport,
  outcome?: ExecutionOutcome,
): Promise<Registered> {
  const execution = await unit.getExecution(found.executionId ?? "");
  const known = await reportOf(unit, found);
  if (known && !isSameReport(known, report)) throw alreadyReported(found, known);
  if (known) return { agent: found, execution, events: [] };
  const { agent, event } = await writeReportIn(core, unit, found, report);
  // An earlier one has had its word, and who has ended says nothing more.
  const isExecutor = execution?.agentIds.at(-1) === found.id && !isSettled(found);
  const word = isExecutor && execution ? (outcome ?? verdictOf(report)) : undefined;
  const settled =
    word && execution ? await takeWordIn(core, unit, execution, agent, report, word) : undefined;
  const isLastWord = outcome !== undefined || isExecutor;
  const cleared = isLastWord
    ? await clearNotificationsIn(unit, found.id, "reported", core.clock.now())
    : [];
  return {
    agent,
    execution: settled?.execution ?? execution,
    events: [event, ...(settled?.events ?? []), ...cleared],
  };
}

function alreadyReported(agent: Agent, known: AgentReport): Refusal {
  const said = known.outcome ?? known.status;
  return new Refusal(
    "RESULT_ALREADY_REPORTED",
    `Agent ${agent.id} has already reported its result (${said}); this report is different.`,
    "The first report counts and cannot be changed. Report nothing more and end; get_agent_status shows what was registered.",
  );
}

/** Has neither reported nor ended: there is no result of it. */
function isSilent(agent: Agent): boolean {
  return agent.reportedAt === null && !isSettled(agent);
}

/** What it has reported before. */
export async function reportOf(unit: UnitOfWork, agent: Agent): Promise<AgentReport | undefined> {
  return agent.reportedAt === null ? undefined : unit.getReport(agent.id);
}

/** After the commit. */
export async function afterReport(core: Core, { agent, execution, events }: Registered) {
  core.live.publish(events);
  if (!isSettled(agent)) watchDeadlines(core, agent, true);
  if (events.length === 0) return;
  if (execution?.agentIds.includes(agent.id) && isOver(execution)) {
    await afterSettling(core, execution);
  } else if (agent.taskId !== null) core.advanceSoon(agent.taskId);
}

async function writeReportIn(core: Core, unit: UnitOfWork, found: Agent, report: AgentReport) {
  const now = core.clock.now();
  const agent = await unit.updateAgent(applyToAgent(found, "reported", { reportedAt: now }), found);
  await unit.putReport(found.id, report);
  const observed =
    (isSilent(found) ? undefined : await unit.getResult(found.id)) ??
    observedResult(agent, await unit.getProgress(found.id), null, now);
  await unit.putResult(found.id, withReport(observed, report));
  const event = await unit.appendEvent({
    type: "agent:result_reported",
    groupId: found.groupId,
    agentId: found.id,
    data: { status: report.status, summary: report.summary },
    at: now,
  });
  return { agent, event };
}

async function takeWordIn(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  agent: Agent,
  report: AgentReport,
  outcome: ExecutionOutcome,
): Promise<{ readonly execution?: Execution; readonly events: readonly StoredEvent[] }> {
  const word = {
    summary: report.summary || null,
    response: report.response || null,
    error: report.errorMessage,
  };
  if (outcome !== "waiting") return settleExecutionIn(core, unit, execution, outcome, word);
  if (execution.status === "stopping") {
    return settleExecutionIn(core, unit, execution, execution.stopFor ?? "blocked", word);
  }
  if (await wasAskedIn(unit, execution, agent)) {
    return { events: await parkIn(core, unit, agent.id) };
  }
  const error = "The executor ended to wait for a person, but nobody had been asked anything.";
  return settleExecutionIn(core, unit, execution, "failure", { ...word, error });
}

/** Else the next executor would be started for nothing, and the next. */
async function wasAskedIn(unit: UnitOfWork, { id }: Execution, agent: Agent): Promise<boolean> {
  const { approvals } = await unit.listApprovals({ executionId: id, limit: PAGE_LIMIT });
  return approvals.some(
    ({ status, decidedAt }) =>
      status === "pending" || (decidedAt !== null && decidedAt >= agent.createdAt),
  );
}

/** Whoever has a result was running; that it has started may only not be written down yet. */
export async function untilStarted(core: Core, agentId: string): Promise<void> {
  for (let waited = 0; waited < START_SEEN_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const agent = await core.store.getAgent(agentId);
    if (agent?.process !== "starting") return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** An id in an argument never proves who speaks. */
export function requireOwn(identity: Identity, agentId: string, tool: string): void {
  if (identity.kind !== "agent" || identity.agentId === agentId) return;
  throw new Refusal(
    "NOT_YOUR_AGENT",
    `You are ${identity.agentId}; you cannot report for ${agentId}.`,
    `Call ${tool} with agentId "${identity.agentId}".`,
  );
}
