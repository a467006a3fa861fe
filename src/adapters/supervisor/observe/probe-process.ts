import { readFileSync } from "node:fs";
import type { Clock } from "../../../app/ports/world.ts";
import { isCode } from "../../error-code.ts";
import type { Processes } from "../processes/process-table.ts";
import type { ReadOwn } from "../spool/own-files.ts";
import { sizeOf } from "../spool/spool.ts";
import { bootLine, parseStatus } from "../spool/status-file.ts";
import type { TrackedAgent } from "./tracked-agent.ts";

/**
 * Finds out what is due about a process: has it started, is it alive, how did it end? Throws when
 * it could not look; then nothing about the agent has changed, and the next poll looks again.
 */
export function createProcessProbe(options: {
  readonly bootId: string;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly readOwn: ReadOwn;
}) {
  const { bootId, processes, clock, readOwn } = options;
  const seenAlive = new WeakSet<TrackedAgent>();
  const bootLineBytes = bootLine(bootId).length;

  /** Before its pid is known, a status that cannot be read says nothing: it may still start. */
  function readStatus(agent: TrackedAgent): void {
    if (agent.process) readOwn(agent, undefined, () => takeStatus(agent));
    else takeStatus(agent);
  }

  function takeStatus(agent: TrackedAgent): void {
    // It is polled far more often than it grows.
    const size = sizeOf(agent.files.status);
    if (size === agent.statusSize) return;
    // With only the launcher's line in it, the file says nothing about the process yet.
    const text = size === bootLineBytes ? "" : readText(agent.files.status);
    // Noted after the read: a read that failed (no descriptor left) must be repeated.
    agent.statusSize = size;
    const status = parseStatus(text);
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

  return function probeProcess(agent: TrackedAgent): void {
    if (agent.exit) return;
    if (agent.isStatusDue) {
      readStatus(agent);
      agent.isStatusDue = false;
    }
    if (agent.exit || !agent.process || !agent.isLivenessDue) return;
    const isGone = !isAlive(agent);
    // The wrapper may have written its last line after we looked for it; now it writes no more.
    if (isGone) readStatus(agent);
    agent.isLivenessDue = false;
    if (isGone) agent.exit ??= { code: null };
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
