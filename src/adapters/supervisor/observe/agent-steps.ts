import { rmSync } from "node:fs";
import type { Clock, Log } from "../../../app/ports/world.ts";
import type { LauncherRequest, WrapperProcess } from "../launcher/launcher-messages.ts";
import type { FailedLooks } from "../processes/failed-looks.ts";
import type { Processes } from "../processes/process-table.ts";
import { createReadOwn } from "../spool/own-files.ts";
import { removeFile } from "../spool/spool.ts";
import type { AttemptEvent } from "./attempt.ts";
import { createFinishing } from "./finishing.ts";
import { createProcessProbe } from "./probe-process.ts";
import { createStarting } from "./starting.ts";
import { advance, advanceIfAccepted, wrapperOf, type TrackedAgent } from "./tracked-agent.ts";

export type AgentSteps = ReturnType<typeof createAgentSteps>;

/** What the pump does for one agent in its turn. Side effects follow from the attempt's state. */
export function createAgentSteps(options: {
  readonly bootId: string;
  readonly graceMs: number;
  readonly startMs: number;
  readonly log: Log;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly onFailedLook: FailedLooks;
  readonly send: (request: LauncherRequest) => void;
  /** There may be something to report. */
  readonly onNews: (agent: TrackedAgent) => void;
  /** It has ended by itself and may have left processes behind. */
  readonly onLeft: (wrapper: WrapperProcess) => void;
}) {
  const { bootId, graceMs, startMs, log, clock, processes, send } = options;
  const { onFailedLook, onNews, onLeft } = options;
  const readOwn = createReadOwn(onFailedLook);
  const probeProcess = createProcessProbe({ bootId, clock, processes, readOwn });
  const starting = createStarting({ startMs, send, settle });
  const { endOfOutput, finish } = createFinishing({ bootId, readOwn, onLeft, settle });

  /** Works until that time at the latest; answers whether there is more to read. */
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
    if (agent.state.name === "over") return false;
    // The exit code is read before the last of the output: what comes after it is not the agent's.
    probeProcess(agent);
    if (agent.state.name === "launching") {
      starting.decide(agent, agent.state);
      return false;
    }
    informLauncher(agent);
    const readTo = endOfOutput(agent);
    const hasMore = readOwn(agent, false, () => agent.stream.read(until));
    const isDrained = !hasMore || (readTo !== null && agent.stream.scanned >= readTo);
    if (readTo !== null && isDrained) finish(agent);
    onNews(agent);
    return !isDrained;
  }

  function informLauncher(agent: TrackedAgent): void {
    if (agent.state.name !== "running") return;
    const { process, isWatched, stopSignal: signal } = agent.state;
    const wrapper = wrapperOf(agent, process);
    if (!isWatched) {
      advance(agent, { type: "watched" });
      send({ type: "watch", ...wrapper });
    }
    if (signal !== null) {
      advance(agent, { type: "ladder_started", signal });
      send({ type: "stop", ...wrapper, signal, graceMs });
    }
  }

  /** The end of an attempt; a second one is ignored. */
  function settle(
    agent: TrackedAgent,
    event: AttemptEvent<"claimed" | "start_failed" | "drained">,
  ): void {
    if (!advanceIfAccepted(agent, event) || agent.state.name !== "over") return;
    removeInput(agent, log);
    if (agent.state.end.type === "not_launched") {
      send({ type: "forget", key: agent.files.key });
    }
    onNews(agent);
  }

  return { step, settle, starting };
}

/** The end must be reported even if the file cannot be deleted. */
function removeInput({ files }: TrackedAgent, log: Log): void {
  try {
    removeFile(files.in);
    rmSync(files.run, { recursive: true, force: true });
  } catch (error) {
    log.error("Could not delete the input files of an agent.", { key: files.key, error });
  }
}
