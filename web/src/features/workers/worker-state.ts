import type { WireWorker } from "../../../../src/contract/shapes/worker.ts";

export type WorkerState = WireWorker["state"] | "draining";

/** A worker that drains is connected, but a person must see that it takes no more agents. */
export function workerState({
  state,
  isDraining,
}: Pick<WireWorker, "state" | "isDraining">): WorkerState {
  return isDraining ? "draining" : state;
}

/** How many agents the workers that take any can run. */
export function takingSlots(workers: readonly WireWorker[]): number {
  return workers
    .filter((worker) => workerState(worker) === "connected")
    .reduce((sum, { slots }) => sum + (slots ?? 0), 0);
}

/** How many more agents the workers can run now. */
export function freeSlots(workers: readonly WireWorker[]): number {
  return workers
    .filter((worker) => workerState(worker) === "connected")
    .reduce((sum, { slots, agents }) => sum + Math.max(0, (slots ?? 0) - agents), 0);
}
