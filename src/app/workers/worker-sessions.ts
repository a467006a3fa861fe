import type { AgentHost, Unfetched } from "../ports/agent-host.ts";
import type { HostReport } from "../ports/server-messages.ts";
import type { Supervisor } from "../ports/supervisor.ts";
import { createUnfetched } from "./unfetched.ts";

type Connected = {
  readonly workerId: string;
  readonly host: Pick<AgentHost, "hasDirectory">;
  readonly supervisor: Pick<Supervisor, "stop" | "steer">;
  dispatchSoon(): void;
};

/** The workers that are connected to this server. */
export type WorkerSessions = {
  add(session: Connected): () => void;
  dispatchSoon(): void;
  /** What each worker says about a directory, without those that do not answer. */
  reportOn(path: string): Promise<readonly HostReport[]>;
  /** Outlives the connections of the worker. */
  unfetchedOf(workerId: string): Unfetched;
  /** The supervisor of this host, which passes stops and messages to the workers, too. */
  route(local: Supervisor): Supervisor;
};

export function createWorkerSessions(): WorkerSessions {
  const sessions = new Set<Connected>();
  const unfetched = new Map<string, Unfetched>();
  return {
    add(session) {
      sessions.add(session);
      return () => void sessions.delete(session);
    },
    dispatchSoon() {
      for (const session of sessions) session.dispatchSoon();
    },
    async reportOn(path) {
      const reports = await Promise.all(
        [...sessions].map(({ workerId, host }) =>
          host.hasDirectory(path).then(
            (hasDirectory) => [{ id: workerId, hasDirectory }],
            () => [],
          ),
        ),
      );
      return reports.flat();
    },
    unfetchedOf(workerId) {
      const known = unfetched.get(workerId) ?? createUnfetched();
      unfetched.set(workerId, known);
      return known;
    },
    route: (local) => ({
      ...local,
      stop(agentId, signal, attempt) {
        local.stop(agentId, signal, attempt);
        for (const { supervisor } of sessions) supervisor.stop(agentId, signal, attempt);
      },
      steer(agentId, attempt, message) {
        local.steer(agentId, attempt, message);
        for (const { supervisor } of sessions) supervisor.steer(agentId, attempt, message);
      },
    }),
  };
}
