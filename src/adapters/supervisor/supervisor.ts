import { writeFileSync } from "node:fs";
import type { Runner } from "../../app/ports/runner.ts";
import type { Adoption, Launch, Observer, Supervisor } from "../../app/ports/supervisor.ts";
import type { Clock, Log } from "../../app/ports/world.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import { isCode } from "../error-code.ts";
import { explainExhausted } from "../exhausted.ts";
import { createLauncherLink } from "./launcher/launcher-link.ts";
import { createAgentSteps } from "./observe/agent-steps.ts";
import { createAgentStream } from "./observe/agent-stream.ts";
import { hasEnded, startedOf } from "./observe/attempt.ts";
import { createOutbox } from "./observe/outbox.ts";
import { createPump, type Slice } from "./observe/pump.ts";
import { advanceIfAccepted, trackAgent, type TrackedAgent } from "./observe/tracked-agent.ts";
import { readBootId } from "./processes/boot-id.ts";
import { createFailedLooks } from "./processes/failed-looks.ts";
import { lineageOf } from "./processes/lineage.ts";
import { createProcesses, type Processes } from "./processes/process-table.ts";
import { listSpooled, removeSpool } from "./spool/remove-spool.ts";
import { keepSpoolDirectory } from "./spool/spool-directory.ts";
import { defaultWatchMode, watchSpool } from "./spool/spool-watch.ts";
import { createMarks, sizeOf, splitSpoolName, spoolFiles } from "./spool/spool.ts";
import { readEnd, readTranscript } from "./spool/transcript.ts";

const POLL_MS = 1_000;

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
  readonly watchMode?: "watch" | "poll";
  readonly processes?: Processes;
  /** Measures how long each slice of work held the event loop. */
  readonly onSlice?: (slice: Slice) => void;
};

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { spoolDir, log, clock, observe, graceMs = 5_000, startMs = 5_000 } = options;
  const { maxSpoolBytes = 1024 ** 3, maxLineBytes = 4 * 1024 ** 2, commitEveryMs = 250 } = options;
  const { bootId = readBootId(), protectedPids = [], watchMode = defaultWatchMode() } = options;
  const live = new Map<string, TrackedAgent>();
  const onFailedLook = createFailedLooks(log);

  const spool = keepSpoolDirectory({ directory: spoolDir, log, onRecreated: watchAgain });
  const markOf = createMarks(spoolDir);
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
    hello: { type: "hello", bootId, protectedPids: [process.pid, ...protectedPids] },
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
  // Start watching before the first read, so that a write in between is not missed.
  let watcher = watchSpool({ directory: spoolDir, mode: watchMode, log, onChange });
  const timer = setInterval(poll, POLL_MS);

  function watchAgain(): void {
    watcher.close();
    watcher = watchSpool({ directory: spoolDir, mode: watchMode, log, onChange });
  }

  function track(
    { agentId, attempt, runner, workingDirectory }: Launch | Adoption,
    adoption: Adoption | null,
  ): TrackedAgent {
    const files = spoolFiles(spoolDir, agentId, attempt);
    if (live.has(files.key)) throw new Error(`${files.key} is supervised already.`);
    const stream = createAgentStream({
      path: files.out,
      runner: options.runners(runner),
      progress: adoption?.progress ?? NO_PROGRESS,
      maxLineBytes,
      startedAt: adoption ? adoption.startedAt : clock.now(),
      workingDirectory,
    });
    const agent = trackAgent({ agentId, attempt, mark: markOf(agentId), files, stream }, adoption);
    live.set(files.key, agent);
    return agent;
  }

  function onChange(name: string | undefined): void {
    if (name === undefined) return lookAtAll({ liveness: false });
    const { key, ending } = splitSpoolName(name);
    const agent = live.get(key);
    if (!agent) return;
    if (ending === "out") pump.kick(agent, "gather");
    if (ending !== "status") return;
    agent.probe.isStatusDue = true;
    pump.kick(agent, "now");
  }

  function lookAtAll({ liveness }: { readonly liveness: boolean }): void {
    for (const agent of live.values()) {
      agent.probe.isStatusDue = true;
      if (liveness) agent.probe.isLivenessDue = true;
      pump.kick(agent, "gather");
    }
  }

  /** Safety poll: `fs.watch` events can be lost. */
  function poll(): void {
    tryToLook(() => spool.ensure());
    for (const agent of live.values()) tryToLook(() => checkLimits(agent));
    lookAtAll({ liveness: true });
  }

  function tryToLook(look: () => void): void {
    try {
      look();
    } catch (error) {
      onFailedLook(error);
    }
  }

  function writePrompt(agent: TrackedAgent, prompt: string): void {
    try {
      writeFileSync(agent.files.in, prompt, { mode: 0o600 });
    } catch (error) {
      if (!isCode(error, "ENOENT")) throw error;
      spool.ensure();
      writeFileSync(agent.files.in, prompt, { mode: 0o600 });
    }
  }

  function clampToOutput({ files, stream }: TrackedAgent, offset: number): void {
    const size = sizeOf(files.out);
    if (size >= offset) return;
    const { key } = files;
    log.warn(
      "The output file of an agent is shorter than what was already read; reading on at its end.",
      {
        key,
        size,
        offset,
      },
    );
    stream.clampTo(size);
  }

  function checkLimits(agent: TrackedAgent): void {
    const { state } = agent;
    if (state.name === "launching") return steps.starting.checkDeadline(agent, state);
    if (hasEnded(state) || agent.isOverLimit) return;
    const { out, err } = agent.files;
    agent.isOverLimit = sizeOf(out) + sizeOf(err) > maxSpoolBytes;
  }

  return {
    async launch(launch) {
      const { command, workingDirectory } = launch;
      const agent = track(launch, null);
      try {
        writePrompt(agent, command.stdin);
      } catch (error) {
        return steps.settle(agent, { type: "start_failed", error: explainExhausted(error) });
      }
      await launcher.launch(agent, command, workingDirectory);
    },

    adopt(adoption) {
      const agent = track(adoption, adoption);
      tryToLook(() => clampToOutput(agent, adoption.progress.offset));
      pump.kick(agent, "now");
    },

    stop(agentId, signal) {
      for (const agent of live.values()) {
        if (agent.agentId !== agentId) continue;
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

    async agentOfProcess(pid) {
      const lineage = await lineageOf(pid);
      const agents = [...live.values()].filter(({ state }) => !hasEnded(state));
      for (const row of lineage) {
        const found = agents.find(({ state }) => {
          const process = startedOf(state)?.process;
          return process?.pid === row.pid && process.start === row.start;
        });
        if (found) return found.agentId;
      }
      return undefined;
    },

    async close() {
      clearInterval(timer);
      watcher.close();
      await launcher.close();
      pump.close();
      await outbox.close();
      for (const agent of live.values()) agent.stream.close();
      live.clear();
    },
  };
}
