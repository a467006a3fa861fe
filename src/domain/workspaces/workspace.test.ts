import { expect, test } from "vitest";
import { mayMoveToWorker } from "./workspace.ts";

const [NEW, MADE] = [null, "f00d"];

test.for([
  ["was never made", { workerId: null, status: "planned", fingerprint: NEW }, true],
  ["is being made by a server", { workerId: null, status: "preparing", fingerprint: NEW }, false],
  ["a server has prepared before", { workerId: null, status: "planned", fingerprint: MADE }, false],
  ["a lost worker had begun", { workerId: "wrk-1", status: "preparing", fingerprint: NEW }, true],
  ["a lost worker has", { workerId: "wrk-1", status: "planned", fingerprint: MADE }, true],
] as const)("whether a worker may make a worktree that %s", ([, workspace, may]) => {
  expect(mayMoveToWorker(workspace)).toBe(may);
});
