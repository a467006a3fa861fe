import type { Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { Observation } from "../ports/supervisor.ts";
import { HostIsBack } from "../servers/host-is-back.ts";
import { usableProgress } from "../workers/check-progress.ts";
import { recordObservations } from "./record-observations.ts";

/**
 * Settles an agent that no host looks after any more. `observed` is what is recorded of it with a
 * progress. An agent that cannot be settled so is settled without its progress, and one that cannot be
 * settled at all is logged: it must not keep the others from being settled. False: it is not settled.
 */
export async function settleLost(
  core: Core,
  { id: agentId, workerId }: Agent,
  observed: (progress: AgentProgress) => readonly Observation[],
): Promise<boolean> {
  const settle = (progress: AgentProgress) =>
    recordObservations(core, observed(progress), workerId);
  const failed = (message: string, error: unknown): void => {
    // Not because of the agent: the others could not be settled either.
    if (error instanceof Refusal || error instanceof HostIsBack) throw error;
    core.log.error(message, { agentId, error: String(error) });
  };
  try {
    await settle(usableProgress(core, agentId, await core.store.getProgress(agentId)));
    return true;
  } catch (error) {
    failed("A lost agent could not be settled; trying without its progress.", error);
  }
  try {
    await settle(NO_PROGRESS);
    return true;
  } catch (error) {
    failed("A lost agent could not be settled.", error);
    return false;
  }
}
