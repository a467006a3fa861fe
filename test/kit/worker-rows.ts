import type { WorkerRow, Workers } from "../../src/app/ports/workers.ts";
import type { RunnerId } from "../../src/domain/agents/runner.ts";
import type { WorkerDetails } from "../../src/domain/workers/worker.ts";

/** A worker that is connected. */
export function aWorkerRow(
  id: string,
  {
    runners = ["rehearsal"],
    ...over
  }: Partial<Omit<WorkerDetails, "runners">> & { readonly runners?: readonly RunnerId[] } = {},
): WorkerRow {
  return {
    id,
    name: id,
    allowedLabels: null,
    createdAt: 0,
    createdBy: "x",
    state: "connected",
    details: {
      host: id,
      pid: 1,
      version: "0",
      slots: 4,
      labels: [],
      runners: runners.map((runner) => ({ id: runner, version: null })),
      isDraining: false,
      ...over,
    },
    serverId: null,
    seenMsAgo: 0,
    agents: 0,
  };
}

const never = () => Promise.reject(new Error("not in this test"));

/** Workers of which only the rows are read. */
export function workersOf(rows: readonly WorkerRow[]): Workers {
  return {
    list: async () => rows,
    add: never,
    findByToken: never,
    revoke: never,
    admit: never,
    describe: never,
    beat: never,
    leave: never,
    endExpired: never,
    claimEnded: never,
    forget: never,
    close: async () => {},
  };
}
