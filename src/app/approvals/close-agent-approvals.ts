import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { listAllApprovals } from "./list-all-approvals.ts";
import { closeApproval } from "./request-approval.ts";

/**
 * An agent that worked on no execution has ended: its questions, checks and lost calls need no
 * decision any more. What an execution waits for stays: another agent goes on with it.
 */
export async function closeAgentApprovals(core: Core, agentId: AgentId): Promise<void> {
  if ((await core.store.countPendingApprovals()) === 0) return;
  await closeEach(core, { agentId }, async () => true);
}

/** After a start: the daemon may have died between the end of an agent and what follows from it. */
export async function closeOrphanedApprovals(core: Core): Promise<void> {
  if ((await core.store.countPendingApprovals()) === 0) return;
  await closeEach(core, {}, async ({ agentId }, unit) => {
    const agent = agentId === null ? undefined : await unit.getAgent(agentId);
    return agent === undefined || agent.process === "ended";
  });
}

async function closeEach(
  core: Core,
  of: { readonly agentId?: AgentId },
  isOrphaned: (approval: Approval, unit: UnitOfWork) => Promise<boolean>,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    for (const approval of await listAllApprovals(unit, { ...of, statuses: ["pending"] })) {
      if (!isOfAgent(approval) || !(await isOrphaned(approval, unit))) continue;
      await closeApproval(core, unit, approval, "cancelled");
    }
  });
}

/** Drafts of a task have no execution either; they are not an agent's. */
function isOfAgent({ kind, executionId }: Approval): boolean {
  return executionId === null && (kind === "question" || kind === "call" || kind === "outcome");
}
