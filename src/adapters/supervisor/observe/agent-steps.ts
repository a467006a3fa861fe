import type { Clock, Log } from "../../../app/ports/world.ts";
import type { LauncherRequest } from "../launcher/launcher-messages.ts";
import type { FailedLooks } from "../processes/failed-looks.ts";
import type { Processes } from "../processes/process-table.ts";
import { createReadOwn } from "../spool/own-files.ts";
import { removeFile, sizeOf, tailOf } from "../spool/spool.ts";
import { createProcessProbe } from "./probe-process.ts";
import { createStarting } from "./starting.ts";
import { stopOf, wrapperOf, type Outcome, type TrackedAgent } from "./tracked-agent.ts";

const STDERR_TAIL_BYTES = 8 * 1024;

export type AgentSteps = ReturnType<typeof createAgentSteps>;

/** What is done for one agent when it has its turn. */
export function createAgentSteps(options: {
  readonly bootId: string;
  readonly graceMs: number;
  readonly startMs: number;
  readonly log: Log;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly onFailedLook: FailedLooks;
  readonly send: (request: LauncherRequest) => void;
  /** There is something to tell of it. */
  readonly onNews: (agent: TrackedAgent) => void;
  /** It has ended by itself and may have left something running. */
  readonly onLeft: (agent: TrackedAgent) => void;
}) {
  const { bootId, graceMs, startMs, log, clock, processes, send } = options;
  const { onFailedLook, onNews, onLeft } = options;
  const readOwn = createReadOwn(onFailedLook);
  const probeProcess = createProcessProbe({ bootId, clock, processes, readOwn });
  const starting = createStarting({ startMs, send, settle });

  /** Works until then at the latest; answers whether more is waiting. */
  function step(agent: TrackedAgent, until: number): boolean {
    try {
      return tryStep(agent, until);
    } catch (error) {
      // No descriptor left: nothing is concluded, and the next poll tries again.
      onFailedLook(error, { key: agent.files.key });
      return false;
    }
  }

  function tryStep(agent: TrackedAgent, until: number): boolean {
    if (agent.outcome) return false;
    // The exit code is read before the last of the output: what comes after it is not the agent's.
    probeProcess(agent);
    if (agent.process === null) {
      if (agent.isWrapperGone) starting.abandon(agent);
      else if (agent.isClaimDue) starting.takeClaim(agent);
      return false;
    }
    if (!agent.exit) informLauncher(agent);
    const isOver = isAtEnd(agent);
    if (isOver) agent.drainTo ??= readOwn(agent, 0, () => agent.stream.size());
    const hasMore = readOwn(agent, false, () => agent.stream.read(until));
    const isDrained = !hasMore || (isOver && agent.stream.scanned >= (agent.drainTo ?? 0));
    if (isOver && isDrained) finish(agent);
    onNews(agent);
    return !isDrained;
  }

  function informLauncher(agent: TrackedAgent): void {
    const wrapper = wrapperOf(agent);
    if (wrapper && !agent.isWatched) {
      agent.isWatched = true;
      send({ type: "watch", ...wrapper });
    }
    if (agent.stop && !agent.stop.isSent) {
      agent.stop.isSent = true;
      const request = stopOf(agent, graceMs);
      if (request) send(request);
    }
  }

  function finish(agent: TrackedAgent): void {
    const { err, status } = agent.files;
    readOwn(agent, undefined, () => agent.stream.finish());
    // Before anything is done: without a descriptor this throws, and the whole step comes again.
    const stderrTail = readOwn(agent, "", () => tailOf(err, STDERR_TAIL_BYTES));
    // Its pid line was in there, so an empty or missing file was taken away while it ran.
    const isStatusLost = readOwn(agent, false, () => sizeOf(status) === 0);
    const filesLost = agent.exit?.code === null && isStatusLost;
    if (!agent.stop?.isSent && agent.process?.bootId === bootId) onLeft(agent);
    settle(agent, {
      type: "ended",
      exitCode: agent.exit?.code ?? null,
      stderrTail,
      ...(filesLost && { filesLost }),
      ...(agent.unreadable !== null && { unreadable: agent.unreadable }),
      survivors: agent.stop?.survivors ?? [],
    });
  }

  function settle(agent: TrackedAgent, outcome: Outcome): void {
    if (agent.outcome) return;
    agent.outcome = outcome;
    tidyUp(agent);
    if (outcome.type === "not_launched") send({ type: "forget", key: agent.files.key });
    onNews(agent);
  }

  /** Whatever becomes of the file, the outcome must be told. */
  function tidyUp(agent: TrackedAgent): void {
    try {
      removeFile(agent.files.in);
    } catch (error) {
      log.error("A prompt file could not be deleted", { key: agent.files.key, error });
    }
  }

  return { step, settle, starting };
}

/** A stop under way decides when it is over, even when the exit code is known before. */
function isAtEnd({ stop, exit }: TrackedAgent): boolean {
  return stop?.isSent ? stop.survivors !== null : exit !== null;
}
