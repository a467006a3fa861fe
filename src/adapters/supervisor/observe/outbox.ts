import type { Observation, Observer } from "../../../app/ports/supervisor.ts";
import type { Log } from "../../../app/ports/world.ts";
import { MAX_PREVIEW_LINES } from "./agent-stream.ts";
import {
  hasNews,
  hasLifecycleNews,
  hasUrgentNews,
  markReported,
  observationsOf,
  type TrackedAgent,
} from "./tracked-agent.ts";

const RETRY_MS = 1_000;
/** Debounce for ends: those that come close together share a commit; the first does not wait. */
const GATHER_MS = 10;
/** Debounce for starts: they are committed with the next end, or together after this time. */
const GATHER_STARTS_MS = 40;
/** Delta lines parsed for previews in one commit, shared by all agents: about 5 ms. */
const PREVIEW_LINES_PER_COMMIT = 1_000;

/**
 * Reports to the observer, one call at a time. Nothing is queued: each batch is made from the
 * current state of the agents, so a batch that failed comes again, merged with newer news.
 */
export function createOutbox(options: {
  readonly observe: Observer;
  readonly log: Log;
  readonly commitEveryMs: number;
  readonly onSettled: (agent: TrackedAgent) => void;
}) {
  const { observe, log, commitEveryMs, onSettled } = options;
  const waiting = new Set<TrackedAgent>();
  let inFlight: Promise<void> | undefined;
  const alarm = createAlarm(flush);
  let urgentDueAt = 0;
  let startsDueAt: number | null = null;
  let progressDueAt = 0;
  let retryAt = 0;
  let failures = 0;
  let isClosed = false;

  function flush(): void {
    if (isClosed || inFlight || waiting.size === 0) return;
    const now = performance.now();
    if (now < retryAt) return alarm.setFor(retryAt);
    const withProgress = now >= progressDueAt;
    const dueAt = withProgress ? now : nextDueAt(now);
    if (now < dueAt) return alarm.setFor(dueAt);
    const due = withProgress ? [...waiting] : [...waiting].filter(hasLifecycleNews);
    urgentDueAt = now + GATHER_MS;
    startsDueAt = null;
    if (withProgress) progressDueAt = now + commitEveryMs;
    inFlight = commit(due, withProgress).finally(() => {
      inFlight = undefined;
      flush();
    });
  }

  function nextDueAt(now: number): number {
    const agents = [...waiting];
    if (agents.some(hasUrgentNews)) return urgentDueAt;
    if (!agents.some(hasLifecycleNews)) return progressDueAt;
    startsDueAt ??= now + GATHER_STARTS_MS;
    return Math.min(startsDueAt, progressDueAt);
  }

  async function commit(due: readonly TrackedAgent[], withProgress: boolean): Promise<void> {
    const share = Math.floor(PREVIEW_LINES_PER_COMMIT / due.length);
    const previewLines = Math.max(4, Math.min(MAX_PREVIEW_LINES, share));
    const reports: (readonly [TrackedAgent, Observation[]])[] = [];
    try {
      const parts = { withProgress, previewLines };
      for (const agent of due) reports.push([agent, observationsOf(agent, parts)]);
      const batch = reports.flatMap(([, observations]) => observations);
      if (batch.length > 0) await observe(batch);
    } catch (error) {
      retryAt = performance.now() + RETRY_MS;
      failures += 1;
      if (failures === 1) log.error("Could not store what agents did; trying again.", { error });
      return;
    }
    if (failures > 0) log.info("What agents did can be stored again.", { failures });
    failures = 0;
    for (const [agent, observations] of reports) {
      for (const each of observations) markReported(agent, each);
      if (!hasNews(agent)) waiting.delete(agent);
      if (agent.reported.end) onSettled(agent);
    }
  }

  return {
    add(agent: TrackedAgent): void {
      if (hasNews(agent)) waiting.add(agent);
    },
    flush,
    /** Waits for the call under way. The next daemon finds in the spool what was not reported. */
    async close(): Promise<void> {
      isClosed = true;
      alarm.clear();
      await inFlight;
    },
  };
}

/** One timer, for the earliest of the times it was set for. */
function createAlarm(ring: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let timerAt = 0;

  function onTimer(): void {
    timer = undefined;
    ring();
  }

  return {
    setFor(time: number): void {
      if (timer && timerAt <= time) return;
      clearTimeout(timer);
      timerAt = time;
      timer = setTimeout(onTimer, Math.max(1, time - performance.now()));
    },
    clear: () => clearTimeout(timer),
  };
}
