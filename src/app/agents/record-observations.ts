import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { outcomeOf } from "../../domain/agents/outcome.ts";
import { observedResult, withReport } from "../../domain/agents/result.ts";
import { usageOf } from "../../domain/agents/usage.ts";
import type { Core } from "../core.ts";
import type { News } from "../live.ts";
import { clearAtEndIn } from "../notifications/clear-notifications.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import type { Observation } from "../ports/supervisor.ts";
import { hasKeys, relaunchAgents } from "./dispatch-agents.ts";
import { reportOf } from "./register-report.ts";
import { settleUnstarted, settleUnstartedIn } from "./settle-unstarted.ts";
import { statusUpdate } from "./status-update.ts";
import { signalFor, stopAgent } from "./stop-agent.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

const RETRY_MS = 1_000;
/** Each attempt is given up only because nothing of it ran, so this many never happen by accident. */
const MAX_ATTEMPTS = 200;

type Ended = Extract<Observation, { type: "ended" }>;
/** What is to be done once the batch is committed. */
type Afterwards = { readonly events: News[]; readonly todo: (() => void | Promise<void>)[] };

/** What the supervisor saw, in one transaction; everything else follows from what was committed. */
export async function recordObservations(core: Core, batch: readonly Observation[]): Promise<void> {
  const { events, todo } = await core.store.transaction(async (unit) => {
    const afterwards: Afterwards = { events: [], todo: [] };
    for (const observation of batch) await record(core, unit, observation, afterwards);
    return afterwards;
  });
  core.live.publish(events);
  for (const act of todo) await untilDone(core, act);
}

/** The batch is committed, so it will not come again: what follows from it is tried until it works. */
async function untilDone(core: Core, act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    core.log.error("Could not act on what was observed; trying again.", { error: String(error) });
    setTimeout(() => void untilDone(core, act), RETRY_MS);
  }
}

async function record(
  core: Core,
  unit: UnitOfWork,
  observation: Observation,
  { events, todo }: Afterwards,
): Promise<void> {
  const agent = await unit.getAgent(observation.agentId);
  // An attempt that was given up, or an agent that is settled already: nothing to learn from it.
  if (!agent || agent.attempt !== observation.attempt || agent.process === "ended") return;
  switch (observation.type) {
    case "started": {
      if (agent.process === "alive") return;
      const started = await recordStart(core, unit, agent, observation);
      events.push(started.event);
      todo.push(() => watchDeadlines(core, started.agent, false));
      // Stopped before the supervisor knew it.
      if (started.agent.stopReason !== null) {
        todo.push(() => core.supervisor.stop(agent.id, signalFor(core, agent)));
      }
      return;
    }
    case "progress":
      await unit.putProgress(agent.id, observation.progress);
      events.push(statusUpdate(core, agent, observation.progress));
      if (observation.progress.end) todo.push(() => watchDeadlines(core, agent, true));
      return;
    case "ended":
      events.push(statusUpdate(core, agent, observation.progress));
      events.push(...(await recordEnd(core, unit, agent, observation)));
      // In the same batch as its start: the deadlines set for that are void.
      todo.push(() => core.deadlines.clear(agent.id));
      return;
    case "start_failed":
      events.push(
        ...(await settleUnstartedIn(
          unit,
          agent.id,
          "start_failed",
          observation.error,
          core.clock.now(),
        )),
      );
      return;
    case "not_launched":
      todo.push(() => launchAgain(core, agent));
      return;
    case "spool_limit_reached":
      todo.push(() => stopAgent(core, agent.id, "spool_limit"));
  }
}

async function recordStart(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  { pid, pidStart, bootId, at }: Extract<Observation, { type: "started" }>,
) {
  const now = core.clock.now();
  const started = await unit.updateAgent(
    applyToAgent(agent, "started", { pid, pidStart, bootId, startedAt: at }),
    agent,
  );
  const event = await unit.appendEvent({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: started.status },
    at: now,
  });
  return { agent: started, event };
}

async function recordEnd(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  end: Ended,
): Promise<StoredEvent[]> {
  const now = core.clock.now();
  await unit.putProgress(agent.id, end.progress);
  const settled = await unit.updateAgent(
    applyToAgent(agent, outcomeOf(agent, end.progress, end.exitCode), {
      exitCode: end.exitCode,
      endedAt: now,
      tokenHash: null,
    }),
    agent,
  );
  const observed = observedResult(settled, end.progress, { ...end, startError: null }, now);
  const report = await reportOf(unit, agent);
  const result = report ? withReport(observed, report) : observed;
  await unit.putResult(agent.id, result);
  await unit.addUsage(usageOf(settled, result, now));
  const completed = await unit.appendEvent({
    type: "agent:completed",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: settled.status, result: result.status, duration_ms: result.durationMs },
    at: now,
  });
  return [completed, ...(await clearAtEndIn(unit, settled, now))];
}

async function launchAgain(core: Core, seen: Agent): Promise<void> {
  const agent = await core.store.getAgent(seen.id);
  if (!agent || agent.process !== "starting" || agent.attempt !== seen.attempt) return;
  if (agent.stopReason !== null) {
    return settleUnstarted(core, agent.id, "cancelled", "Cancelled before it started.");
  }
  if (agent.attempt >= MAX_ATTEMPTS) {
    const error = `It could not be launched in ${MAX_ATTEMPTS} attempts.`;
    return settleUnstarted(core, agent.id, "start_failed", error);
  }
  if (hasKeys(core, agent)) return relaunchAgents(core, [agent]);
  // Its key went with an earlier daemon: it waits in the queue until a client brings it.
  await core.store.transaction((unit) =>
    unit.updateAgent(applyToAgent(agent, "requeued", { tokenHash: null }), agent),
  );
  core.dispatchSoon();
}
