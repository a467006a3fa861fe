import { setTimeout as sleep } from "node:timers/promises";
import { runCoalesced } from "../../base/run-coalesced.ts";
import { createDeadlines } from "../agents/deadlines.ts";
import { createDispatcher } from "../agents/dispatcher.ts";
import { recordObservations } from "../agents/record-observations.ts";
import { resumeAgents } from "../agents/resume-agents.ts";
import { sweepSpool } from "../agents/sweep-spool.ts";
import type { Core, HostOffer } from "../core.ts";
import { type IsReadOnly, recoverCalls } from "../gateway/recover-calls.ts";
import { redeliverNotifications } from "../notifications/redeliver-notifications.ts";
import type { AgentHost } from "../ports/agent-host.ts";
import type { Observation, Supervisor } from "../ports/supervisor.ts";
import type { WorkerWorktrees } from "../ports/worker-worktrees.ts";
import { followOthers } from "../servers/follow-others.ts";
import { killLost } from "../servers/kill-lost.ts";
import { releaseTaken } from "../servers/take-over.ts";
import { watchInterrupts } from "../tasks/interrupt/watch-interrupts.ts";
import { listCapturingOf } from "../workspaces/list-capturing-of.ts";
import { captureLost } from "./capture-lost.ts";
import { coreOfWorker } from "./core-of-worker.ts";

const SWEEP_EVERY_MS = 3_600_000;
/** Less than the worker waits for the answer. What is not captured by then is captured later. */
const CAPTURED_WITHIN_MS = 20_000;

export type WorkerLink = {
  readonly workerId: string;
  readonly epoch: number;
  /** Its agents made their calls through another process, which may be gone. */
  readonly isMoved: boolean;
  readonly supervisor: Supervisor;
  readonly host: AgentHost;
  readonly worktrees: WorkerWorktrees | undefined;
  readonly offer: HostOffer;
  readonly isReadOnly: IsReadOnly;
};

export type WorkerSession = {
  /** For requests of its agents. Not fenced: an answer is recorded also when the worker has moved. */
  readonly core: Core;
  /** Goes on with the agents of the worker; then it gets new ones. */
  start(): Promise<void>;
  observe(batch: readonly Observation[]): Promise<void>;
  readonly dispatchSoon: () => void;
  /** Starts no further agent there. */
  drain(): Promise<void>;
  /** Resolves when the changes of its ended agents are captured, or after a while. */
  captured(): Promise<void>;
  close(): Promise<void>;
};

/** One connection of a worker: this server looks after its agents as long as it lasts. */
export function createWorkerSession(core: Core, link: WorkerLink): WorkerSession {
  const dispatcher = createDispatcher(() => ofWorker);
  const deadlines = createDeadlines(core.clock);
  const { dispatchSoon } = dispatcher;
  const ofWorker = coreOfWorker(core, { ...link, deadlines, dispatchSoon });
  const { workerId, isMoved, isReadOnly } = link;
  // Other servers settle agents of the worker, too.
  const stopForgetting = core.events.on(["agent:completed"], ({ agentId }) =>
    deadlines.clear(agentId),
  );
  let stopSweeping: (() => void) | undefined;
  const closing = new AbortController();
  let following: { stop(): void } | undefined;
  // Servers delete rows of agents, not files on workers. Over a slow connection the changes of lost
  // agents may take longer than an hour, and a second round would begin them again.
  const sweep = runCoalesced(async () => {
    await sweepSpool(ofWorker).catch((error: unknown) =>
      core.log.warn("Left-over files on a worker could not be deleted.", {
        workerId,
        error: String(error),
      }),
    );
    if (link.worktrees) await captureLost(ofWorker, closing.signal);
  });
  const sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();

  return {
    core: {
      ...ofWorker,
      store: core.store,
      // A report may be stored after the next connection has looked for what is due.
      deadlines: core.deadlines,
      // What its agents ask for may run anywhere.
      git: core.git,
      workspaceTools: core.workspaceTools,
      settings: core.settings,
    },
    async start() {
      if (isMoved) {
        await redeliverNotifications(ofWorker);
        // Only calls of a version that did not store its sender. Those of a server that lives get their
        // answers there, and those of a dead one are given up with its lease.
        await recoverCalls(ofWorker, isReadOnly);
      }
      await killLost(ofWorker, "start");
      await releaseTaken(ofWorker, workerId);
      await resumeAgents(ofWorker);
      for (const agentId of await listCapturingOf(ofWorker, workerId)) {
        ofWorker.provisioning.captureSoon(agentId);
      }
      await watchInterrupts(ofWorker);
      // What begins after the end of the connection would never end.
      closing.signal.throwIfAborted();
      following = followOthers(ofWorker);
      stopSweeping = sweepRetired(core, link.host);
      dispatcher.open();
      void sweep();
    },
    observe: (batch) => recordObservations(ofWorker, batch),
    dispatchSoon,
    drain: dispatcher.pause,
    captured: () =>
      Promise.race([
        ofWorker.provisioning.captured(),
        sleep(CAPTURED_WITHIN_MS, undefined, { ref: false }),
      ]),
    async close() {
      closing.abort();
      // The next connection, here or elsewhere, sets them again from the rows.
      deadlines.close();
      stopForgetting();
      following?.stop();
      stopSweeping?.();
      clearInterval(sweeping);
      await dispatcher.close();
      await ofWorker.provisioning.close();
    },
  };
}

function sweepRetired({ events }: Core, host: AgentHost): () => void {
  return events.on(["workspace:updated"], ({ data }) => {
    if (data.status === "retired") host.sweepWorktrees();
  });
}
