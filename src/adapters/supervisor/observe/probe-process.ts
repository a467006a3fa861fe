import { readFileSync } from "node:fs";
import type { Clock } from "../../../app/ports/world.ts";
import { isCode } from "../../../base/error-code.ts";
import type { Processes } from "../processes/process-table.ts";
import type { ReadOwn } from "../spool/own-files.ts";
import { sizeOf } from "../spool/spool.ts";
import { bootLine, parseStatus, type ProcessIdentity } from "../spool/status-file.ts";
import { hasEnded, startedOf } from "./attempt.ts";
import { advance, type TrackedAgent } from "./tracked-agent.ts";

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
    if (agent.state.name === "launching") takeStatus(agent);
    else readOwn(agent, undefined, () => takeStatus(agent));
  }

  function takeStatus(agent: TrackedAgent): void {
    // The file is polled far more often than it grows.
    const size = sizeOf(agent.files.status);
    if (size === agent.probe.statusSize) return;
    // With only the launcher's line in it, the file says nothing about the process yet.
    const text = size === bootLineBytes ? "" : readText(agent.files.status);
    // Noted after the read: a read that failed (no descriptor left) must be repeated.
    agent.probe.statusSize = size;
    const status = parseStatus(text);
    if (status.process && agent.state.name === "launching") {
      const process = { ...status.process, bootId: status.bootId ?? bootId };
      advance(agent, { type: "started", process, startedAt: clock.now() });
    }
    const { exitCode } = status;
    if (exitCode !== null && startedOf(agent.state)) exited(agent, exitCode);
  }

  function isAlive(agent: TrackedAgent, { pid, start, bootId: boot }: ProcessIdentity): boolean {
    if (boot !== bootId) return false;
    if (seenAlive.has(agent)) return processes.isStillThere(pid, start);
    if (processes.get(pid)?.start !== start) return false;
    seenAlive.add(agent);
    return true;
  }

  return function probeProcess(agent: TrackedAgent): void {
    const { probe } = agent;
    if (hasEnded(agent.state)) return;
    if (probe.isStatusDue) {
      readStatus(agent);
      probe.isStatusDue = false;
    }
    const started = startedOf(agent.state);
    if (!started || !probe.isLivenessDue || hasEnded(agent.state)) return;
    const isGone = !isAlive(agent, started.process);
    // The wrapper may have written its last line after the read above; now it writes no more.
    if (isGone) readStatus(agent);
    probe.isLivenessDue = false;
    if (isGone) exited(agent, null);
  };
}

function exited(agent: TrackedAgent, code: number | null): void {
  if (!hasEnded(agent.state)) advance(agent, { type: "exited", code });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}
