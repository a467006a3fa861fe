import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Runner } from "../../app/ports/runner.ts";
import {
  INBOX,
  type Adoption,
  type Launch,
  type Observer,
  type Supervisor,
} from "../../app/ports/supervisor.ts";
import type { Clock, Log } from "../../app/ports/world.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";
import { explainExhausted } from "../exhausted.ts";
import { appendToRun, writeRunFiles } from "../run-files.ts";
import { createLauncherLink } from "./launcher/launcher-link.ts";
import { createAgentSteps } from "./observe/agent-steps.ts";
import { createAgentStream } from "./observe/agent-stream.ts";
import { hasEnded, startedOf } from "./observe/attempt.ts";
import { createOutbox } from "./observe/outbox.ts";
import { createPump, type Slice } from "./observe/pump.ts";
import { advanceIfAccepted, trackAgent, type TrackedAgent } from "./observe/tracked-agent.ts";
import { watchAgents } from "./observe/watch-agents.ts";
import { readBootId } from "./processes/boot-id.ts";
import { createFailedLooks, type FailedLooks } from "./processes/failed-looks.ts";
import { lineageOf } from "./processes/lineage.ts";
import { createProcesses, type Processes, type ProcessRow } from "./processes/process-table.ts";
import { listSpooled, removeSpool } from "./spool/remove-spool.ts";
import { defaultWatchMode, type WatchMode } from "./spool/spool-watch.ts";
import { createMarks, sizeOf, spoolFiles, writePrompt } from "./spool/spool.ts";
import { readEnd, readTranscript } from "./spool/transcript.ts";

export type SupervisorOptions = {
  readonly spoolDir: string;
  /** How to start the launcher. */
  readonly launcher: { readonly command: readonly string[] };
  readonly runners: (id: RunnerId) => Pick<Runner, "parse" | "isDelta">;
  readonly observe: Observer;
  readonly log: Log;
  readonly clock: Clock;
  /** Time between the polite signal and SIGKILL. */
  readonly graceMs?: number;
  /** Limit for stdout and stderr of one agent together. */
  readonly maxSpoolBytes?: number;
  /** A longer line is skipped: parsing it would block the event loop. */
  readonly maxLineBytes?: number;
  readonly commitEveryMs?: number;
  /** How long a wrapper may take to its pid line before the launcher is asked to look for it. */
  readonly startMs?: number;
  readonly bootId?: string;
  /** Processes that are never signalled, besides the daemon, its launcher and their ancestors. */
  readonly protectedPids?: readonly number[];
  readonly watchMode?: WatchMode;
  readonly processes?: Processes;
  /**
   * How long agents go on after this process was killed or closed for good, if no other one of the same
   * directory adopts them. Absent: until one does.
   */
  readonly orphansEndAfterMs?: number;
  /** Measures how long each slice of work held the event loop. */
  readonly onSlice?: (slice: Slice) => void;
};

type Live = Map<string, TrackedAgent>;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { spoolDir, log } = options;
  const live: Live = new Map();
  const onFailedLook = createFailedLooks(log);
  const track = createTracker(options, live);
  const { outbox, launcher, steps, pump } = connectParts(options, live, onFailedLook);
  const maxSpoolBytes = options.maxSpoolBytes ?? 1024 ** 3;
  // Start watching before the first read, so that a write in between is not missed.
  const watching = watchAgents({
    spoolDir,
    mode: options.watchMode ?? defaultWatchMode(),
    log,
    live,
    kick: (agent, when) => pump.kick(agent, when),
    checkLimits,
    onFailedLook,
  });

  function checkLimits(agent: TrackedAgent): void {
    const { state } = agent;
    if (state.name === "launching") return steps.starting.checkDeadline(agent, state);
    if (hasEnded(state) || agent.isOverLimit) return;
    const { out, err } = agent.files;
    agent.isOverLimit = sizeOf(out) + sizeOf(err) > maxSpoolBytes;
  }

  return {
    runDirectory: (agentId, attempt) => spoolFiles(spoolDir, agentId, attempt).run,

    async launch(launch) {
      const { command, workingDirectory } = launch;
      const agent = track(launch, null);
      try {
        writePrompt(agent.files.in, command.stdin, watching.ensureSpool);
        writeRunFiles(agent.files.run, command.files);
      } catch (error) {
        return steps.settle(agent, { type: "start_failed", error: explainExhausted(error) });
      }
      await launcher.launch(agent, command, workingDirectory);
    },

    adopt(adoption) {
      const agent = track(adoption, adoption);
      try {
        skipLostOutput(agent, adoption.progress.offset, log);
      } catch (error) {
        onFailedLook(error);
      }
      pump.kick(agent, "now");
    },

    has: (agentId, attempt) => live.has(spoolFiles(spoolDir, agentId, attempt).key),
    liveAgents: () =>
      [...live.values()].map(({ agentId, state }) => ({ agentId, isRunning: !hasEnded(state) })),

    steer(agentId, attempt, message) {
      const agent = live.get(spoolFiles(spoolDir, agentId, attempt).key);
      if (!agent || hasEnded(agent.state)) return;
      appendToRun(agent.files.run, INBOX, `${JSON.stringify(message)}\n`);
    },

    stop(agentId, signal, attempt) {
      for (const agent of live.values()) {
        if (agent.agentId !== agentId || agent.attempt !== (attempt ?? agent.attempt)) continue;
        if (advanceIfAccepted(agent, { type: "stop_requested", signal })) pump.kick(agent, "now");
      }
    },

    listSpooled: () => listSpooled(spoolDir),
    removeSpool: (agentIds) => removeSpool(spoolDir, agentIds),

    async readTranscript(agentId, attempt, offset, maxBytes) {
      const { key, out: path } = spoolFiles(spoolDir, agentId, attempt);
      return readTranscript({ path, offset, maxBytes, isGrowing: live.has(key) });
    },

    readOutputEnd: (agentId, attempt, maxBytes) =>
      readEnd(spoolFiles(spoolDir, agentId, attempt).out, maxBytes),

    agentOfProcess: async (pid) => agentAmong(live, await lineageOf(pid)),

    async close({ isForGood } = { isForGood: false }) {
      watching.close();
      await launcher.close(isForGood);
      pump.close();
      await outbox.close();
      for (const agent of live.values()) agent.stream.close();
      live.clear();
    },
  };
}

/** The launcher, the steps, the pump and the outbox, which call each other. */
function connectParts(options: SupervisorOptions, live: Live, onFailedLook: FailedLooks) {
  const { log, clock, observe, graceMs = 5_000, startMs = 5_000, commitEveryMs = 250 } = options;
  const { bootId = readBootId(), protectedPids = [] } = options;
  const outbox = createOutbox({
    observe,
    log,
    commitEveryMs,
    onSettled(agent) {
      agent.stream.close();
      live.delete(agent.files.key);
    },
  });
  const launcher = createLauncherLink({
    command: options.launcher.command,
    hello: {
      type: "hello",
      bootId,
      protectedPids: [process.pid, ...protectedPids],
      ...ownedBy(options, graceMs),
    },
    graceMs,
    log,
    onFailedLook,
    live,
    kick: (agent) => pump.kick(agent, "now"),
    steps: () => steps,
  });
  const steps = createAgentSteps({
    bootId,
    graceMs,
    startMs,
    log,
    clock,
    processes: options.processes ?? createProcesses(),
    onFailedLook,
    send: launcher.send,
    onLeft: launcher.sweepAfter,
    onNews(agent) {
      outbox.add(agent);
      // Not immediately: other news of this slice goes into the same batch.
      if (agent.state.name === "over") pump.kick(agent, "now");
    },
  });
  const pump = createPump({
    step: steps.step,
    afterSlice: () => outbox.flush(),
    onSlice: options.onSlice,
  });
  return { outbox, launcher, steps, pump };
}

/** From now on launchers of earlier processes leave the agents alone. */
function ownedBy({ spoolDir, orphansEndAfterMs: afterMs }: SupervisorOptions, graceMs: number) {
  if (afterMs === undefined) return {};
  const ownerFile = `${spoolDir}.owner`;
  const ownerId = randomUUID();
  writeFileSync(ownerFile, ownerId, { mode: 0o600 });
  return { orphans: { afterMs, graceMs, ownerFile, ownerId } };
}

function createTracker(options: SupervisorOptions, live: Live) {
  const { spoolDir, clock, runners, maxLineBytes = 4 * 1024 ** 2 } = options;
  const markOf = createMarks(spoolDir);
  return function track(
    { agentId, attempt, runner, workingDirectory, progress }: Launch | Adoption,
    adoption: Adoption | null,
  ): TrackedAgent {
    const files = spoolFiles(spoolDir, agentId, attempt);
    if (live.has(files.key)) throw new Error(`${files.key} is supervised already.`);
    const stream = createAgentStream({
      path: files.out,
      runner: runners(runner),
      progress,
      maxLineBytes,
      startedAt: adoption ? adoption.startedAt : clock.now(),
      workingDirectory,
    });
    const mark = markOf(agentId, attempt);
    const agent = trackAgent({ agentId, attempt, mark, files, stream }, adoption);
    live.set(files.key, agent);
    return agent;
  };
}

/** After a power cut the output file can be shorter than what was already read. */
function skipLostOutput({ files, stream }: TrackedAgent, offset: number, log: Log): void {
  const size = sizeOf(files.out);
  if (size >= offset) return;
  const fields = { key: files.key, size, offset };
  log.warn("The output of an agent is shorter than what was already read.", fields);
  stream.clampTo(size);
}

/** The agent whose wrapper is in this lineage of a process. */
function agentAmong(live: Live, lineage: readonly ProcessRow[]): AgentId | undefined {
  const agents = [...live.values()].filter(({ state }) => !hasEnded(state));
  for (const row of lineage) {
    const found = agents.find(({ state }) => {
      const process = startedOf(state)?.process;
      return process?.pid === row.pid && process.start === row.start;
    });
    if (found) return found.agentId;
  }
  return undefined;
}
