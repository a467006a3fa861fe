import { expect, test } from "vitest";
import type { WireWorker } from "../../../../src/contract/shapes/worker.ts";
import { freeSlots, takingSlots, workerState } from "./worker-state.ts";

function aWireWorker(over: Partial<WireWorker> = {}): WireWorker {
  return {
    workerId: "wrk-1",
    name: "build-1",
    allowedLabels: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    createdBy: "local",
    state: "connected",
    seen_ms: 0,
    agents: 1,
    host: "build",
    pid: 1,
    version: "1.0.0",
    slots: 4,
    labels: [],
    runners: [],
    runnerVersions: {},
    runnerProblems: {},
    isDraining: false,
    serverId: "srv-1",
    ...over,
  };
}

test("a connected worker that drains is shown as draining", () => {
  expect(workerState(aWireWorker({ isDraining: true }))).toBe("draining");
  expect(workerState(aWireWorker())).toBe("connected");
  expect(workerState(aWireWorker({ state: "lost" }))).toBe("lost");
});

test("only connected workers that do not drain have free slots", () => {
  const workers = [
    aWireWorker(),
    aWireWorker({ isDraining: true }),
    aWireWorker({ state: "left", agents: 0 }),
    aWireWorker({ slots: 2, agents: 3 }),
  ];
  expect(freeSlots(workers)).toBe(3);
  expect(takingSlots(workers)).toBe(6);
});
