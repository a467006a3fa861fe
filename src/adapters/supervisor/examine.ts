import { readFileSync } from "node:fs";
import type { Clock } from "../../app/ports/world.ts";
import type { Processes } from "./process-table.ts";
import { isCode, sizeOf } from "./spool.ts";
import { bootLine, parseStatus } from "./status-file.ts";
import type { TrackedAgent } from "./tracked-agent.ts";

/** Finds out what is due to be known of a process: has it started, does it live, how did it end? */
export function createExaminer(options: {
  readonly bootId: string;
  readonly processes: Processes;
  readonly clock: Clock;
}) {
  const { bootId, processes, clock } = options;
  const seenAlive = new WeakSet<TrackedAgent>();
  const bootLineBytes = bootLine(bootId).length;

  function readStatus(agent: TrackedAgent): void {
    // It is polled far more often than it grows.
    const size = sizeOf(agent.files.status);
    if (size === agent.statusSize) return;
    agent.statusSize = size;
    // Only the launcher's line yet, which says nothing of the process.
    if (size === bootLineBytes) return;
    const status = parseStatus(readText(agent.files.status));
    if (status.process && !agent.process) {
      agent.process = { ...status.process, bootId: status.bootId ?? bootId };
      agent.startedAt = clock.now();
    }
    if (agent.process && status.exitCode !== null) agent.exit ??= { code: status.exitCode };
  }

  function isAlive(agent: TrackedAgent): boolean {
    if (agent.process === null || agent.process.bootId !== bootId) return false;
    const { pid, start } = agent.process;
    if (seenAlive.has(agent)) return processes.isStillThere(pid, start);
    if (processes.get(pid)?.start !== start) return false;
    seenAlive.add(agent);
    return true;
  }

  return function examine(agent: TrackedAgent): void {
    if (agent.exit) return;
    if (agent.isStatusDue) {
      agent.isStatusDue = false;
      readStatus(agent);
    }
    if (agent.exit || !agent.process || !agent.isLivenessDue) return;
    agent.isLivenessDue = false;
    if (isAlive(agent)) return;
    // The wrapper may have written its last line after we looked for it; now it writes no more.
    readStatus(agent);
    agent.exit ??= { code: null };
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}
