import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ModelList } from "../../domain/health/host-models.ts";
import { unusableRunners } from "../../domain/workers/worker.ts";
import type { Core } from "../core.ts";
import type { WorkerRow, Workers } from "../ports/workers.ts";
import { createRecentRows } from "./recent-rows.ts";

const recent = createRecentRows<WorkerRow>();

/** The workers that are connected to any server. */
export async function connectedWorkers(core: Pick<Core, "workers">): Promise<readonly WorkerRow[]> {
  return (await knownWorkers(core)).filter(({ state }) => state === "connected");
}

/** All workers that were not revoked. */
export async function knownWorkers({
  workers,
}: Pick<Core, "workers">): Promise<readonly WorkerRow[]> {
  return workers ? recent.read(workers) : [];
}

/** The same, as they are now. */
export async function workersNow({
  workers,
}: Pick<Core, "workers">): Promise<readonly WorkerRow[]> {
  return workers ? recent.readAgain(workers) : [];
}

/** Agent CLIs that are installed on a connected worker. */
export async function runnersOnWorkers(
  core: Pick<Core, "workers">,
): Promise<ReadonlySet<RunnerId>> {
  const rows = await connectedWorkers(core);
  return new Set(rows.flatMap(({ details }) => details?.runners.map(({ id }) => id) ?? []));
}

/**
 * Whether a worker can use the CLI, by the rows that were read last. Every request for an agent reads
 * them before it is judged.
 */
export function isUsableOnWorkers(workers: Workers, runner: RunnerId, now: number): boolean {
  return recent
    .last(workers)
    .some(
      ({ state, details }) =>
        state === "connected" &&
        details?.runners.some(({ id }) => id === runner) === true &&
        !unusableRunners(details, now).has(runner),
    );
}

/** The models of each connected worker that has the CLI, by the rows that were read last. */
export function modelsOnWorkers(workers: Workers, runner: RunnerId): readonly ModelList[] {
  return recent
    .last(workers)
    .filter(({ state }) => state === "connected")
    .flatMap(({ details }) => details?.runners.filter(({ id }) => id === runner) ?? [])
    .map(({ models }) => models);
}

/**
 * Whether a directory may be there: a worker may have one that this host has not, and it may be
 * restarting now. The host that runs the agent checks it.
 */
export async function mayExist(
  core: Pick<Core, "workers" | "directories">,
  path: string,
): Promise<boolean> {
  if (await core.directories.exists(path)) return true;
  return (await connectedWorkers(core)).length > 0;
}
