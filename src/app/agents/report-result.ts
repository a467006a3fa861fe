import type { AgentReport } from "../../domain/agents/result.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core, Identity } from "../core.ts";
import { registerReport, requireOwn, untilStarted } from "./register-report.ts";
import { requireAgent } from "./require-agent.ts";

export type ReportResult = { readonly agentId: string; readonly report: AgentReport };

/**
 * Registers the agent's report. A retried call with the same report is acknowledged; a different
 * report is refused. An executor's report also ends its execution, as report_completed does.
 */
export async function reportResult(
  core: Core,
  identity: Identity,
  input: ReportResult,
): Promise<AgentId> {
  requireOwn(identity, input.agentId, "report_result");
  await untilStarted(core, input.agentId);
  const registered = await core.store.transaction(async (unit) => {
    const found = await requireAgent(unit, input.agentId);
    return registerReport(core, unit, found, input.report);
  });
  return registered.agent.id;
}
