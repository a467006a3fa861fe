import type { ResultStatus } from "../../domain/agents/result.ts";
import type { AgentId } from "../../domain/ids.ts";
import { summaryLine } from "../../domain/text/summary-line.ts";
import type { Core } from "../core.ts";

export type AgentSummary = { readonly status: ResultStatus; readonly line: string };

/** One line about each agent that has a result, so that a caller need not read all results. */
export async function summarizeAgents(
  core: Pick<Core, "store">,
  agentIds: readonly AgentId[],
): Promise<ReadonlyMap<string, AgentSummary>> {
  const summaries = new Map<string, AgentSummary>();
  for (const id of agentIds) {
    const result = await core.store.getResult(id);
    if (result) summaries.set(id, { status: result.status, line: summaryLine(result) });
  }
  return summaries;
}
