import type { ProcessRow, Processes } from "../processes/process-table.ts";
import type { AgentTrees } from "./agent-trees.ts";
import type { StopRequest } from "./launcher-messages.ts";

export type Kill = (pid: number, signal: "SIGTERM" | "SIGINT" | "SIGKILL") => void;
export type Stopped = { readonly killed: string[]; readonly survivors: string[] };

type Stop = {
  readonly request: StopRequest;
  phase: "asked" | "grace" | "sweep";
  readonly askedAt: number;
  /** When the grace period, or the whole sweep, is over. */
  until: number;
  sweeps: number;
  cleanSweeps: number;
  cleanSince: number;
  readonly killed: Map<number, string>;
};

const LOOK_EVERY_MS = 25;
/** A busy machine takes seconds to start a process. A CLI that is a shell waits this long too. */
const CLI_WITHIN_MS = 3_000;
const LOOK_AT_LEAST_EVERY_MS = 250;
const AFTER_FAILED_LOOK_MS = 500;

type LadderOptions = {
  readonly processes: Processes;
  readonly trees: AgentTrees;
  readonly kill: Kill;
  readonly onStopped: (key: string, stopped: Stopped) => void;
  readonly onFailedLook: (error: unknown) => void;
  readonly giveUpMs?: number;
  readonly wrapperMs?: number;
};

/**
 * asked → polite signal to the wrapper's group → grace → SIGKILL to everything but the wrapper,
 * sweep after sweep, until two in a row find nothing. The wrapper is spared because it writes the
 * exit code; if it hangs without a child to wait for, it is killed too. One sweep serves all stops.
 */
export function createStopLadder(options: LadderOptions) {
  const { processes, trees, kill, onStopped, onFailedLook } = options;
  const { giveUpMs = 10_000, wrapperMs = 1_000 } = options;
  const sweepOne = createSweep(trees, kill, wrapperMs);
  const stops = new Map<string, Stop>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    let next = 0;
    try {
      advance(performance.now());
      next = pauseOf([...stops.values()]);
    } catch (error) {
      // A failed look proves nothing: kill nothing, finish nothing, look again later.
      onFailedLook(error);
      postponeGivingUp(performance.now());
      next = AFTER_FAILED_LOOK_MS;
    }
    timer = stops.size > 0 ? setTimeout(tick, next) : undefined;
  }

  function advance(now: number): void {
    begin(now);
    for (const stop of inPhase("grace")) {
      const { pid, start } = stop.request;
      if (now >= stop.until || !processes.isStillThere(pid, start)) startSweeping(stop, now);
    }
    sweep(inPhase("sweep"), now);
  }

  function postponeGivingUp(now: number): void {
    for (const stop of inPhase("sweep")) stop.until = now + giveUpMs;
  }

  /** Reads the trees just before the first signal: when a parent dies, its children are re-parented. */
  function begin(now: number): void {
    const asked = inPhase("asked");
    if (asked.length === 0) return;
    trees.refresh();
    for (const stop of asked) {
      const { key, pid, signal, graceMs } = stop.request;
      if (signal === null || !trees.isRootAlive(key)) {
        startSweeping(stop, now);
        continue;
      }
      // A wrapper that has not started its CLI yet swallows the signal, and so does its fork until
      // it has become the CLI: wait for the CLI.
      if (!trees.hasCli(key) && now - stop.askedAt < CLI_WITHIN_MS) continue;
      stop.phase = "grace";
      stop.until = now + graceMs;
      kill(-pid, signal);
    }
  }

  function startSweeping(stop: Stop, now: number): void {
    stop.phase = "sweep";
    stop.until = now + giveUpMs;
  }

  function sweep(sweeping: readonly Stop[], now: number): void {
    if (sweeping.length === 0) return;
    trees.refresh(new Set(sweeping.map((stop) => stop.request.mark)));
    for (const stop of sweeping) {
      const survivors = sweepOne(stop, now);
      if (survivors) finish(stop, survivors);
    }
  }

  function finish(stop: Stop, survivors: string[]): void {
    const { key } = stop.request;
    stops.delete(key);
    trees.remove(key);
    onStopped(key, { killed: [...stop.killed.values()], survivors });
  }

  function inPhase(phase: Stop["phase"]): Stop[] {
    return [...stops.values()].filter((stop) => stop.phase === phase);
  }

  return {
    isBusy: (): boolean => stops.size > 0,
    add(request: StopRequest): void {
      if (stops.has(request.key)) return;
      trees.add(request);
      stops.set(request.key, newStop(request));
      // Deferred, so that stops requested together share the first look.
      timer ??= setTimeout(tick, 1);
    },
    close(): void {
      clearTimeout(timer);
    },
  };
}

function newStop(request: StopRequest): Stop {
  return {
    request,
    phase: "asked",
    askedAt: performance.now(),
    until: 0,
    sweeps: 0,
    cleanSweeps: 0,
    cleanSince: 0,
    killed: new Map(),
  };
}

/** Back-off while all stops are sweeping: a sweep reads every process of the machine. */
function pauseOf(stops: readonly Stop[]): number {
  if (stops.some(({ phase }) => phase !== "sweep")) return LOOK_EVERY_MS;
  const sweeps = Math.min(...stops.map((stop) => stop.sweeps));
  return Math.min(LOOK_AT_LEAST_EVERY_MS, LOOK_EVERY_MS * (1 + sweeps / 4));
}

/** One sweep of one stop; answers the survivors when the stop is over. */
function createSweep(trees: AgentTrees, kill: Kill, wrapperMs: number) {
  return function sweepOne(stop: Stop, now: number): string[] | undefined {
    const { key, pid } = stop.request;
    const rows = trees.membersOf(key);
    const isRootAlive = trees.isRootAlive(key);
    stop.sweeps += 1;
    stop.cleanSweeps = rows.length === 0 ? stop.cleanSweeps + 1 : 0;
    if (stop.cleanSweeps === 1) stop.cleanSince = now;
    for (const row of rows) {
      stop.killed.set(row.pid, nameOf(row));
      kill(row.pid, "SIGKILL");
    }
    if (stop.cleanSweeps > 1 && isRootAlive && now - stop.cleanSince >= wrapperMs) {
      kill(pid, "SIGKILL");
    }
    if (stop.cleanSweeps > 1 && !isRootAlive) return [];
    if (now < stop.until) return undefined;
    return [...rows.map(nameOf), ...(isRootAlive ? [`pid ${pid} (wrapper)`] : [])];
  };
}

function nameOf(row: ProcessRow): string {
  return `pid ${row.pid} (${row.command})`;
}
