import { applyToAgent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import { observedResult } from "../../domain/agents/result.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { clearAtEndIn } from "../notifications/clear-notifications.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";

/** An agent that will never run: its CLI could not be started, or it was cancelled before. */
export async function settleUnstarted(
  core: Core,
  agentId: AgentId,
  event: "start_failed" | "cancelled",
  error: string,
): Promise<void> {
  const stored = await core.store.transaction((unit) =>
    settleUnstartedIn(unit, agentId, event, error, core.clock.now()),
  );
  core.live.publish(stored);
}

export async function settleUnstartedIn(
  unit: UnitOfWork,
  agentId: AgentId,
  event: "start_failed" | "cancelled",
  error: string,
  now: number,
): Promise<StoredEvent[]> {
  const agent = await unit.getAgent(agentId);
  if (!agent || agent.status !== "queued") return [];
  const settled = await unit.updateAgent(
    applyToAgent(agent, event, { endedAt: now, tokenHash: null }),
    agent,
  );
  const end = { exitCode: null, stderrTail: "", startError: error, survivors: [] };
  await unit.putResult(agentId, observedResult(settled, NO_PROGRESS, end, now));
  const completed = await unit.appendEvent({
    type: "agent:completed",
    groupId: agent.groupId,
    agentId,
    data: { status: settled.status, error },
    at: now,
  });
  return [completed, ...(await clearAtEndIn(unit, settled, now))];
}
