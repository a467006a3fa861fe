import { applyToAgent, isSettled } from "../domain/agent.ts";
import type { AgentId } from "../domain/ids.ts";
import { Refusal } from "../domain/refusal.ts";
import { observedResult, withReport, type AgentReport } from "../domain/result.ts";
import type { Core, Identity } from "./core.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

const LOOK_EVERY_MS = 50;
const START_SEEN_WITHIN_MS = 15_000;

export type ReportResult = { readonly agentId: string; readonly report: AgentReport };

/** The agent's own word. It may come again (a retried call): the last one counts, once. */
export async function reportResult(
  core: Core,
  identity: Identity,
  input: ReportResult,
): Promise<AgentId> {
  requireOwn(identity, input.agentId);
  if (identity.kind === "agent") await untilStarted(core, identity.agentId);
  const now = core.clock.now();
  const { agent, events } = await core.store.transaction(async (unit) => {
    const found = await unit.getAgent(input.agentId);
    if (!found) throw agentNotFound(input.agentId);
    const known = await unit.getReport(found.id);
    if (known && JSON.stringify(known) === JSON.stringify(input.report)) {
      return { agent: found, events: [] };
    }
    const reported = await unit.updateAgent(
      applyToAgent(found, "reported", { reportedAt: now }),
      found,
    );
    await unit.putReport(found.id, input.report);
    const observed =
      (await unit.getResult(found.id)) ??
      observedResult(reported, await unit.getProgress(found.id), null, now);
    await unit.putResult(found.id, withReport(observed, input.report));
    const event = await unit.appendEvent({
      type: "agent:result_reported",
      groupId: found.groupId,
      agentId: found.id,
      data: { status: input.report.status, summary: input.report.summary },
      at: now,
    });
    return { agent: reported, events: [event] };
  });
  core.live.publish(events);
  if (!isSettled(agent)) watchDeadlines(core, agent, true);
  return agent.id;
}

/** Whoever speaks is running; that it has started may only not be written down yet. */
async function untilStarted(core: Core, agentId: AgentId): Promise<void> {
  for (let waited = 0; waited < START_SEEN_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const agent = await core.store.getAgent(agentId);
    if (agent?.process !== "starting") return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function requireOwn(identity: Identity, agentId: string): void {
  if (identity.kind === "main" || identity.agentId === agentId) return;
  throw new Refusal(
    "NOT_YOUR_AGENT",
    `You are ${identity.agentId}; you cannot report for ${agentId}.`,
    `Call report_result with agentId "${identity.agentId}".`,
  );
}

export function agentNotFound(...ids: readonly string[]): Refusal {
  return new Refusal(
    "AGENT_NOT_FOUND",
    `There is no agent ${ids.join(", ")}.`,
    "Use the agentId that run_agents returned; list_agents shows all.",
  );
}
