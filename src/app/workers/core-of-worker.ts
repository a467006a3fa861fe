import type { Deadlines } from "../agents/deadlines.ts";
import type { Core, HostOffer } from "../core.ts";
import type { AgentHost } from "../ports/agent-host.ts";
import type { Store } from "../ports/store.ts";
import type { Supervisor } from "../ports/supervisor.ts";
import type { WorkerWorktrees } from "../ports/worker-worktrees.ts";
import { createProvisioning } from "../workspaces/provisioning.ts";
import { gitOfWorker } from "./git-of-worker.ts";

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
  /** undefined: an older worker, which makes none. */
  readonly worktrees: WorkerWorktrees | undefined;
  readonly offer: HostOffer;
  /** Those of this connection: their closures hold its epoch, so they end with it. */
  readonly deadlines: Deadlines;
  readonly dispatchSoon: () => void;
};

/**
 * The core as it is for the agents of one worker: use cases that look after the agents of a server
 * look after those of the worker, and every process that they start, stop or read is there.
 */
export function coreOfWorker(core: Core, options: OnWorker): Core {
  const { workerId, epoch, supervisor, host, offer, worktrees, deadlines, dispatchSoon } = options;
  const ofWorker: Core = {
    ...core,
    serverId: workerId,
    store: fence(core.store, workerId, epoch),
    supervisor,
    host,
    offer,
    provisioning: createProvisioning(() => ofWorker),
    deadlines: {
      ...deadlines,
      // Requests of the agent and decisions of people set theirs outside of the connection.
      clear(agentId) {
        deadlines.clear(agentId);
        core.deadlines.clear(agentId);
      },
    },
    dispatchSoon,
    // Worktrees are made, prepared and captured there by the same use cases.
    ...(worktrees && {
      git: gitOfWorker(core.git, worktrees),
      workspaceTools: { ...core.workspaceTools, ...worktrees.tools },
    }),
    // Read each time: the configuration can be reloaded.
    get settings() {
      const { workspace } = core.settings;
      const root = worktrees?.root ?? workspace.root;
      return { ...core.settings, workspace: { ...workspace, root } };
    },
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
