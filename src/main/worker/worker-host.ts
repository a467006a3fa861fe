import { stat } from "node:fs/promises";
import { z } from "zod";
import { buildLaunch, type HostParts } from "../../app/agents/build-launch.ts";
import type { LaunchOrder } from "../../app/ports/agent-host.ts";
import type { Adoption, Observation } from "../../app/ports/supervisor.ts";
import { isRecord } from "../../base/narrow.ts";
import type { Handlers } from "../../base/peer.ts";
import { agentIdShape } from "../../contract/workers/messages.ts";
import { Refusal } from "../../domain/refusal.ts";
import { messageIn } from "../../domain/spoken-error.ts";

const attemptShape = z.object({ agentId: agentIdShape, attempt: z.number() });
/** What a server sends is not checked further: it decides what runs here. */
const orderShape = z.custom<LaunchOrder>(isRecord);
const adoptionShape = z.custom<Adoption>(isRecord);
const stopShape = z.object({
  agentId: agentIdShape,
  signal: z.enum(["SIGTERM", "SIGINT"]),
  attempt: z.int().optional(),
});

export type WorkerHost = {
  readonly handlers: Handlers;
  /** How many agents it looks after. */
  readonly count: () => number;
  /** How many of them have a process. */
  readonly countRunning: () => number;
  /** Ends every agent: servers take them for lost. */
  readonly stopAll: () => void;
  /** What the supervisor observed, without the exit codes of agents that this worker gave up. */
  readonly report: (batch: readonly Observation[]) => readonly Observation[];
};

export type WorkerHostOptions = {
  /** Known after the first connection. */
  readonly parts: () => HostParts;
  readonly isStarted: () => boolean;
  readonly host: string;
  /** An observation that the supervisor does not make: the CLI could not even be started. */
  readonly observe: (batch: readonly Observation[]) => Promise<void>;
  readonly onRelay: (piece: unknown) => void;
};

/** What servers ask of this worker. */
export function createWorkerHost(options: WorkerHostOptions): WorkerHost {
  const { parts } = options;
  const supervisor = () => parts().supervisor;
  /** Ended by `stopAll`: a server that did not miss us must not take our signal for a failure. */
  const givenUp = new Set<string>();

  async function launch(order: LaunchOrder): Promise<void> {
    const { id: agentId, attempt } = order.agent;
    if (supervisor().has(agentId, attempt)) return;
    givenUp.delete(agentId);
    try {
      const built = await buildLaunch(parts(), order);
      if (supervisor().has(agentId, attempt)) return;
      await supervisor().launch(built);
    } catch (error) {
      const why = `${messageIn(error, "en")} (worker on ${options.host})`;
      const isMissing = error instanceof Refusal && error.code === "ROLE_UNAVAILABLE";
      await options.observe([
        { type: "start_failed", agentId, attempt, error: why, ...(isMissing && { isMissing }) },
      ]);
    }
  }

  return {
    handlers: {
      launch: (args) => launch(orderShape.parse(args)),
      adopt(args) {
        const adoption = adoptionShape.parse(args);
        if (!supervisor().has(adoption.agentId, adoption.attempt)) supervisor().adopt(adoption);
      },
      stop(args) {
        const { agentId, signal, attempt } = stopShape.parse(args);
        supervisor().stop(agentId, signal, attempt);
      },
      steer(args) {
        const { agentId, attempt, message } = attemptShape
          .extend({ message: z.object({ id: z.string(), text: z.string() }) })
          .parse(args);
        supervisor().steer(agentId, attempt, message);
      },
      ...readingHandlers(supervisor),
      relay: options.onRelay,
    },
    count: () => (options.isStarted() ? supervisor().liveAgents().length : 0),
    countRunning: () =>
      options.isStarted()
        ? supervisor()
            .liveAgents()
            .filter(({ isRunning }) => isRunning).length
        : 0,
    stopAll() {
      if (!options.isStarted()) return;
      for (const { agentId, isRunning } of supervisor().liveAgents()) {
        if (isRunning) givenUp.add(agentId);
        supervisor().stop(agentId, "SIGTERM");
      }
    },
    report: (batch) => batch.map((each) => withoutSignal(each, givenUp)),
  };
}

/** What servers ask about the agents and the disk of this host. */
function readingHandlers(supervisor: () => HostParts["supervisor"]): Handlers {
  return {
    async exist(args) {
      const { paths } = z.object({ paths: z.array(z.string()) }).parse(args);
      return Promise.all(paths.map(isDirectory));
    },
    listSpooled: () => supervisor().listSpooled(),
    async removeSpool(args) {
      const { agentIds } = z.object({ agentIds: z.array(z.string()) }).parse(args);
      await supervisor().removeSpool(agentIds);
    },
    readTranscript(args) {
      const { agentId, attempt, offset, maxBytes } = attemptShape
        .extend({ offset: z.number(), maxBytes: z.number() })
        .parse(args);
      return supervisor().readTranscript(agentId, attempt, offset, maxBytes);
    },
    readOutputEnd(args) {
      const { agentId, attempt, maxBytes } = attemptShape
        .extend({ maxBytes: z.number() })
        .parse(args);
      return supervisor().readOutputEnd(agentId, attempt, maxBytes);
    },
    async agentOfProcess(args) {
      const { pid } = z.object({ pid: z.number() }).parse(args);
      return (await supervisor().agentOfProcess(pid)) ?? null;
    },
    isRunning(args) {
      const { agentId } = z.object({ agentId: agentIdShape }).parse(args);
      return supervisor()
        .liveAgents()
        .some((each) => each.agentId === agentId && each.isRunning);
    },
  };
}

function withoutSignal(observation: Observation, givenUp: ReadonlySet<string>): Observation {
  return observation.type === "ended" && givenUp.has(observation.agentId)
    ? { ...observation, exitCode: null }
    : observation;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
