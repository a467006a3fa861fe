import type { Core, HostOffer } from "../core.ts";
import type { AgentHost } from "../ports/agent-host.ts";
import type { Store } from "../ports/store.ts";
import type { Supervisor } from "../ports/supervisor.ts";
import { createProvisioning } from "../workspaces/provisioning.ts";

/** The worker's lease has ended, or another connection has it: nothing more is written for it. */
export class LeaseEnded extends Error {
  constructor(workerId: string) {
    super(`The lease of worker ${workerId} has ended.`);
    this.name = "LeaseEnded";
  }
}

export type OnWorker = {
  readonly workerId: string;
  readonly epoch: number;
  readonly supervisor: Supervisor;
  readonly host: AgentHost;
  readonly offer: HostOffer;
  readonly dispatchSoon: () => void;
};

/**
 * The core as it is for the agents of one worker: use cases that look after the agents of a server
 * look after those of the worker, and every process that they start, stop or read is there.
 */
export function coreOfWorker(core: Core, options: OnWorker): Core {
  const { workerId, epoch, supervisor, host, offer, dispatchSoon } = options;
  const ofWorker: Core = {
    ...core,
    serverId: workerId,
    store: fence(core.store, workerId, epoch),
    supervisor,
    host,
    offer,
    provisioning: createProvisioning(() => ofWorker),
    dispatchSoon,
  };
  return ofWorker;
}

/** Every change for the agents of a worker holds its lease until the commit. */
function fence(store: Store, workerId: string, epoch: number): Store {
  return {
    ...store,
    transaction: (work) =>
      store.transaction(async (unit) => {
        if (!(await unit.holdLease(workerId, epoch))) throw new LeaseEnded(workerId);
        return work(unit);
      }),
  };
}
