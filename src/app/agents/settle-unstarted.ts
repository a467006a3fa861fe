import { applyToAgent } from "../../domain/agents/agent.ts";
import { observedResult } from "../../domain/agents/result.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { clearAtEnd } from "../notifications/clear-notifications.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** Settles an agent that will never run: its CLI could not be started, or it was cancelled first. */
export async function settleUnstarted(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  agentId: AgentId,
  event: "start_failed" | "cancelled",
  error: string,
): Promise<void> {
  const agent = await unit.getAgent(agentId);
  if (!agent || agent.status !== "queued") return;
  const now = core.clock.now();
  const settled = await unit.updateAgent(
    applyToAgent(agent, event, { endedAt: now, tokenHash: null }),
    agent,
  );
  const end = { exitCode: null, stderrTail: "", startError: error, survivors: [] };
  const progress = await unit.getProgress(agentId);
  await unit.putResult(agentId, observedResult(settled, progress, end, now));
  await unit.emit({
    type: "agent:completed",
    groupId: agent.groupId,
    agentId,
    data: { status: settled.status, error },
    at: now,
  });
  await clearAtEnd(unit, settled, now);
}
