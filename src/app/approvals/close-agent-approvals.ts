import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { listAllApprovals } from "./list-all-approvals.ts";
import { closeApproval } from "./request-approval.ts";

/**
 * Closes the approvals of an agent that has ended without an execution: they need no decision any
 * more. Approvals of an execution stay pending, because its next executor continues with them.
 */
export async function closeAgentApprovals(core: Core, agentId: AgentId): Promise<void> {
  if ((await core.store.countPendingApprovals()) === 0) return;
  await closeAllThat(core, { agentId }, async () => true);
}

/** A daemon may have died between the end of an agent and closeAgentApprovals. */
export async function closeOrphanedApprovals(core: Core): Promise<void> {
  if ((await core.store.countPendingApprovals()) === 0) return;
  await closeAllThat(core, {}, async ({ agentId }, unit) => {
    const agent = agentId === null ? undefined : await unit.getAgent(agentId);
    return agent === undefined || agent.process === "ended";
  });
}

async function closeAllThat(
  core: Core,
  filter: { readonly agentId?: AgentId },
  isOrphaned: (approval: Approval, unit: UnitOfWork) => Promise<boolean>,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    for (const approval of await listAllApprovals(unit, { ...filter, statuses: ["pending"] })) {
      if (!belongsToAgent(approval) || !(await isOrphaned(approval, unit))) continue;
      await closeApproval(core, unit, approval, "cancelled");
    }
  });
}

/** Approvals of drafts have no execution either, but they belong to the task. */
function belongsToAgent({ kind, executionId }: Approval): boolean {
  return executionId === null && (kind === "question" || kind === "call" || kind === "outcome");
}
