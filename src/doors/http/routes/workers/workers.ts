import type { WorkerRow } from "../../../../app/ports/workers.ts";
import { addWorker } from "../../../../app/workers/add-worker.ts";
import { revokeWorker } from "../../../../app/workers/revoke-worker.ts";
import * as contract from "../../../../contract/routes/workers.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import type { WireWorker } from "../../../../contract/shapes/worker.ts";
import { isOpen } from "../../../../domain/health/host-problem.ts";
import { defineRoute } from "../../define-route.ts";

export const WORKER_ROUTES = [
  defineRoute(contract.listWorkers, {
    run: async ({ workers, clock }) => ({
      workers: ((await workers?.list()) ?? []).map((worker) => wireWorker(worker, clock.now())),
    }),
  }),
  defineRoute(contract.addWorker, {
    needs: "admin",
    isSecret: true,
    async run(core, { body: { name, labels } }, identity) {
      const { worker, token } = await addWorker(core, identity, { name, labels: labels ?? null });
      return { workerId: worker.id, name, token };
    },
  }),
  defineRoute(contract.revokeWorker, {
    needs: "admin",
    async run(core, { params }, identity) {
      const { id, name, agents } = await revokeWorker(core, identity, params.name);
      return { workerId: id, name, agents };
    },
  }),
];

function wireWorker(worker: WorkerRow, now: number): WireWorker {
  const { details } = worker;
  return {
    workerId: worker.id,
    name: worker.name,
    allowedLabels: worker.allowedLabels === null ? null : [...worker.allowedLabels],
    createdAt: iso(worker.createdAt),
    createdBy: worker.createdBy,
    state: worker.state,
    seen_ms: worker.seenMsAgo,
    agents: worker.agents,
    host: details?.host ?? null,
    pid: details?.pid ?? null,
    version: details?.version ?? null,
    slots: details?.slots ?? null,
    labels: [...(details?.labels ?? [])],
    runners: (details?.runners ?? []).map(({ id }) => id),
    runnerVersions: Object.fromEntries(
      (details?.runners ?? []).flatMap(({ id, version }) => (version ? [[id, version]] : [])),
    ),
    runnerProblems: Object.fromEntries(
      (worker.state === "connected" ? (details?.problems ?? []) : []).flatMap((problem) =>
        isOpen(problem, now) ? [[problem.runner, problem.kind]] : [],
      ),
    ),
    isDraining: worker.state === "connected" && (details?.isDraining ?? false),
    serverId: worker.state === "connected" ? worker.serverId : null,
  };
}
