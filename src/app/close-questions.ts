import type { Approval } from "../domain/approval.ts";
import type { AgentId } from "../domain/ids.ts";
import type { Core } from "./core.ts";
import type { UnitOfWork } from "./ports/store.ts";
import { closeApprovalIn, listPending } from "./request-approval.ts";

/** An agent that worked on no execution has gone: nobody wants to know any more what it asked. */
export async function closeQuestions(core: Core, agentId: AgentId): Promise<void> {
  await closeEach(core, async (question) => question.agentId === agentId);
}

/** After a start: the daemon may have died between the end of an agent and what follows from it. */
export async function closeForsakenQuestions(core: Core): Promise<void> {
  await closeEach(core, async ({ agentId }, unit) => {
    const agent = agentId === null ? undefined : await unit.getAgent(agentId);
    return agent === undefined || agent.process === "ended";
  });
}

async function closeEach(
  core: Core,
  isForsaken: (question: Approval, unit: UnitOfWork) => Promise<boolean>,
): Promise<void> {
  if ((await core.store.countPendingApprovals()) === 0) return;
  const events = await core.store.transaction(async (unit) => {
    const closed = [];
    for (const question of await listPending(unit, { kind: "question" })) {
      // An execution goes on with another agent, and finds the answer.
      if (question.executionId !== null || !(await isForsaken(question, unit))) continue;
      closed.push(await closeApprovalIn(core, unit, question, "cancelled"));
    }
    return closed;
  });
  core.live.publish(events);
}
