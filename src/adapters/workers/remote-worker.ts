import { z } from "zod";
import type { AgentHost, Unfetched } from "../../app/ports/agent-host.ts";
import type { HostProblems } from "../../app/ports/host-problems.ts";
import type { Supervisor } from "../../app/ports/supervisor.ts";
import type { Log } from "../../app/ports/world.ts";
import type { Peer } from "../../base/peer.ts";
import { agentIdShape } from "../../contract/workers/messages.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ModelList } from "../../domain/health/host-models.ts";
import type { AgentId } from "../../domain/ids.ts";
import { createRemoteWorktrees, type RemoteWorktrees } from "./remote-worktrees.ts";

const ids = z.array(z.string());
const flags = z.array(z.boolean());
const transcript = z.object({
  lines: z.array(z.string()),
  nextOffset: z.number(),
  size: z.number(),
});
const found = agentIdShape.nullable();
/** A client waits for the answer to its request. */
const FOUND_WITHIN_MS = 1_000;

export type RemoteWorker = {
  readonly supervisor: Supervisor;
  readonly host: AgentHost;
  readonly worktrees: RemoteWorktrees | undefined;
};

type RemoteOptions = {
  readonly peer: Peer;
  readonly log: Log;
  /** How much later it is here than on the clock of the worker. */
  readonly clockOffsetMs: number;
  readonly runners: () => ReadonlySet<RunnerId>;
  readonly models: (runner: RunnerId) => ModelList;
  readonly name: string;
  /** Where it makes worktrees; undefined: an older worker, which makes none. */
  readonly worktreeRoot: string | undefined;
  readonly leaseMs: number;
  readonly unfetched: Unfetched;
  readonly problems: HostProblems;
  readonly onHandedBack: () => void;
  /** A launch was not confirmed: the worker must connect again, and say what it runs. */
  readonly onUnconfirmed: () => void;
};

/** Processes on another machine, behind the connection of its worker. */
export function createRemoteWorker(options: RemoteOptions): RemoteWorker {
  const { peer, log, clockOffsetMs, worktreeRoot: root, leaseMs } = options;
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
    worktrees: root === undefined ? undefined : createRemoteWorktrees(peer, root, leaseMs),
    host: {
      name: options.name,
      models: options.models,
      unfetched: options.unfetched,
      problems: options.problems,
      onHandedBack: options.onHandedBack,
      sweepWorktrees: () => peer.tell("sweepWorktrees", {}),
      async isRunning(agentId) {
        return z.boolean().parse(await peer.call("isRunning", { agentId }));
      },
      async accept(agents) {
        const runners = options.runners();
        const able = agents.filter(({ runner }) => runners.has(runner));
        return runnableThere(peer, able, root !== undefined);
      },
      async hasDirectory(path) {
        const [exists] = await exist(peer, [path], FOUND_WITHIN_MS);
        return exists === true;
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

/** Those whose directory is there. Worktrees are made there. */
async function runnableThere(
  peer: Peer,
  agents: readonly Agent[],
  makesWorktrees: boolean,
): Promise<readonly Agent[]> {
  const plain = agents.filter(({ workspaceId }) => workspaceId === null);
  const there = await withDirectories(peer, plain);
  return agents.filter((agent) => (agent.workspaceId === null ? there.has(agent) : makesWorktrees));
}

async function withDirectories(peer: Peer, agents: readonly Agent[]): Promise<ReadonlySet<Agent>> {
  if (agents.length === 0) return new Set();
  const there = await exist(
    peer,
    agents.map(({ workingDirectory }) => workingDirectory),
  );
  return new Set(agents.filter((_, index) => there[index] === true));
}

async function exist(
  peer: Peer,
  paths: readonly string[],
  withinMs?: number,
): Promise<readonly boolean[]> {
  return flags.parse(await peer.call("exist", { paths }, withinMs));
}
