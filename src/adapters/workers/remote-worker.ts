import { z } from "zod";
import type { AgentHost } from "../../app/ports/agent-host.ts";
import type { Supervisor } from "../../app/ports/supervisor.ts";
import type { Log } from "../../app/ports/world.ts";
import type { Peer } from "../../base/peer.ts";
import { agentIdShape } from "../../contract/workers/messages.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";

const ids = z.array(z.string());
const flags = z.array(z.boolean());
const transcript = z.object({
  lines: z.array(z.string()),
  nextOffset: z.number(),
  size: z.number(),
});
const found = agentIdShape.nullable();

export type RemoteWorker = {
  readonly supervisor: Supervisor;
  readonly host: AgentHost;
};

/** Processes on another machine, behind the connection of its worker. */
export function createRemoteWorker(options: {
  readonly peer: Peer;
  readonly log: Log;
  /** How much later it is here than on the clock of the worker. */
  readonly clockOffsetMs: number;
  readonly runners: () => ReadonlySet<RunnerId>;
  /** A launch was not confirmed: the worker must connect again, and say what it runs. */
  readonly onUnconfirmed: () => void;
}): RemoteWorker {
  const { peer, log, clockOffsetMs } = options;
  /** Agents that were handed to the worker over this connection. */
  const known = new Set<AgentId>();
  const supervisor: Supervisor = {
    runDirectory() {
      throw new Error("The folder of a run is known only on the worker.");
    },
    launch: () => Promise.reject(new Error("A worker builds its launches itself.")),
    adopt(adoption) {
      known.add(adoption.agentId);
      const { startedAt } = adoption;
      peer.tell("adopt", { ...adoption, startedAt: startedAt && startedAt - clockOffsetMs });
    },
    has: (agentId) => known.has(agentId),
    liveAgents: () => [...known].map((agentId) => ({ agentId, isRunning: true })),
    steer(agentId, attempt, message) {
      if (known.has(agentId)) peer.tell("steer", { agentId, attempt, message });
    },
    stop(agentId, signal, attempt) {
      if (known.has(agentId)) peer.tell("stop", { agentId, signal, attempt });
    },
    listSpooled: async () => ids.parse(await peer.call("listSpooled", {})),
    async removeSpool(agentIds) {
      await peer.call("removeSpool", { agentIds });
    },
    readTranscript: async (agentId, attempt, offset, maxBytes) =>
      transcript.parse(await peer.call("readTranscript", { agentId, attempt, offset, maxBytes })),
    readOutputEnd: async (agentId, attempt, maxBytes) =>
      z.string().parse(await peer.call("readOutputEnd", { agentId, attempt, maxBytes })),
    async agentOfProcess(pid) {
      return found.parse(await peer.call("agentOfProcess", { pid })) ?? undefined;
    },
    async close() {},
  };
  return {
    supervisor,
    host: {
      async accept(agents) {
        const runners = options.runners();
        // Worktrees are made by servers, next to the repository.
        const able = agents.filter(
          (agent) => runners.has(agent.runner) && agent.workspaceId === null,
        );
        if (able.length === 0) return [];
        const exist = flags.parse(await peer.call("exist", { paths: able.map(directoryOf) }));
        return able.filter((_, index) => exist[index] === true);
      },
      async launch(order) {
        known.add(order.agent.id);
        try {
          await peer.call("launch", order);
        } catch (error) {
          log.warn("A worker did not confirm the start of an agent; it must connect again.", {
            agentId: order.agent.id,
            error: String(error),
          });
          options.onUnconfirmed();
        }
      },
    },
  };
}

function directoryOf({ workingDirectory }: Agent): string {
  return workingDirectory;
}
