import type { Agent } from "../../domain/agents/agent.ts";
import { isWorkerId } from "../../domain/workers/worker.ts";
import type { Core } from "../core.ts";
import { knownWorkers } from "../workers/connected-workers.ts";

export type HostOfAgent = { readonly kind: "server" | "worker"; readonly name: string };

/** Where an agent runs or ran. Undefined: no host has taken it, or there is only one. */
export async function hostOf(
  core: Pick<Core, "workers">,
  { workerId }: Pick<Agent, "workerId">,
): Promise<HostOfAgent | undefined> {
  if (workerId === null) return undefined;
  // The id of a server begins with the name of its machine.
  if (!isWorkerId(workerId)) return { kind: "server", name: workerId };
  const worker = (await knownWorkers(core)).find(({ id }) => id === workerId);
  return { kind: "worker", name: worker?.name ?? workerId };
}
