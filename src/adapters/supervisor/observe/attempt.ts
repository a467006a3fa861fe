import type { Observation } from "../../../app/ports/supervisor.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { ProcessIdentity } from "../spool/status-file.ts";

export type StopSignal = "SIGTERM" | "SIGINT";

/** How a process ended; the code is null when no exit line was found. */
type Exit = { readonly code: number | null };

type Started = {
  readonly process: ProcessIdentity;
  /** When the pid line was first seen. */
  readonly startedAt: number;
};

type Ended = Omit<Extract<Observation, { type: "ended" }>, "agentId" | "attempt" | "progress">;

/** How an attempt is over, for good. */
type AttemptEnd =
  | Ended
  | { readonly type: "start_failed"; readonly error: string }
  | { readonly type: "not_launched" };

type States = {
  /** The intent to launch is committed; no pid line has been seen. */
  readonly launching: {
    /** Number of the launcher that was asked; null: none yet, or one of an earlier daemon. */
    readonly launcher: number | null;
    /** The current launcher knows the wrapper and remembers its process tree. */
    readonly isWatched: boolean;
    /** Without a pid line by then, the launcher is asked whether there is a wrapper at all. */
    readonly startBy: number | null;
    readonly isLookPending: boolean;
    /** What the next step does if there is still no pid line. */
    readonly withoutPidLine: "wait" | "claim" | "abandon";
    /** Set when launchers do not start at all: then another attempt is of no use. */
    readonly launchError: string | null;
    readonly stopSignal: StopSignal | null;
  };
  /** The pid line was seen and the process is not known to have ended. */
  readonly running: Started & {
    readonly isWatched: boolean;
    /** A stop was requested; the next step starts the stop ladder if the process still runs. */
    readonly stopSignal: StopSignal | null;
  };
  /** The launcher climbs the stop ladder. It decides when this is over, even after the exit line. */
  readonly stopping: Started & { readonly signal: StopSignal; readonly exit: Exit | null };
  /** The process has ended, or the stop ladder has; the rest of the output is being read. */
  readonly draining: Started & {
    /** null: the ladder gave up on a wrapper that it could not kill. */
    readonly exit: Exit | null;
    /** What the stop ladder could not kill; null: there was no ladder, nothing has been swept. */
    readonly survivors: readonly string[] | null;
    /** Size of the output when the end was known. What leftover processes write later is not read. */
    readonly readTo: number | null;
  };
  readonly over: { readonly end: AttemptEnd; readonly started: Started | null };
};

type Events = {
  readonly launch_sent: { readonly launcher: number };
  /** The launcher has started a wrapper. */
  readonly launched: { readonly startBy: number };
  /** The launcher has reaped the wrapper. */
  readonly wrapper_exited: object;
  /** `error` is set when launchers do not start at all. */
  readonly launcher_died: { readonly launcher: number; readonly error: string | null };
  readonly look_sent: object;
  /** Is there a wrapper for this attempt? null: the launcher could not look. */
  readonly looked: { readonly isAlive: boolean | null; readonly startBy: number };
  /** The daemon wanted the claim, but a wrapper has it. */
  readonly claim_refused: { readonly startBy: number };
  /** The daemon has the claim: no wrapper can run this attempt any more. */
  readonly claimed: object;
  readonly start_failed: { readonly error: string };
  /** The pid line was read. */
  readonly started: Started;
  readonly watched: object;
  readonly stop_requested: { readonly signal: StopSignal };
  /** The stop request was sent to the launcher. */
  readonly ladder_started: { readonly signal: StopSignal };
  /** The exit line was read, or the process is gone without one. */
  readonly exited: Exit;
  /** The stop ladder is done. */
  readonly swept: { readonly survivors: readonly string[] };
  readonly output_measured: { readonly size: number };
  readonly drained: { readonly details: Omit<Ended, "type" | "exitCode" | "survivors"> };
};

export type AttemptStateName = keyof States;
export type AttemptEventType = keyof Events;
export type AttemptState<Name extends AttemptStateName = AttemptStateName> = {
  [N in Name]: { readonly name: N } & States[N];
}[Name];
export type AttemptEvent<Type extends AttemptEventType = AttemptEventType> = {
  [T in Type]: { readonly type: T } & Events[T];
}[Type];

type Row<State> = {
  readonly [Type in AttemptEventType]?: (state: State, event: AttemptEvent<Type>) => AttemptState;
};
type Transitions = { readonly [Name in AttemptStateName]: Row<AttemptState<Name>> };

/**
 * One attempt to run an agent: state → event → next state. A pair missing here is refused.
 *
 * Nothing of this is stored: what a daemon needs after a crash is in the database (was a launch
 * intended, was a start or a stop recorded) and in the spool (claim, pid line, exit line, output).
 * Whatever the state was, `adopted` and the next steps arrive at the same one again:
 * - launching: the status file is read first, then the claim decides;
 * - running: its process is recorded, or its pid line is read again;
 * - stopping: the stop reason is stored, so the caller requests the stop again;
 * - draining, or over and not committed: the exit line is read again, the output from the stored
 *   offset; an attempt that was given up is recognised by the daemon's own claim.
 */
const TRANSITIONS: Transitions = {
  launching: {
    launch_sent: (state, { launcher }) => ({ ...state, launcher }),
    launched: (state, { startBy }) => ({ ...state, isWatched: true, startBy }),
    wrapper_exited: (state) => ({ ...state, withoutPidLine: "claim" }),
    launcher_died(state, { launcher, error: launchError }) {
      const next = { ...state, isLookPending: false };
      if (state.launcher !== launcher) return next;
      // It may have died before or after it started the wrapper: the claim tells.
      return { ...next, withoutPidLine: "claim", isWatched: false, launchError };
    },
    look_sent: (state) => ({ ...state, isLookPending: true }),
    looked(state, { isAlive, startBy }) {
      const before = state.withoutPidLine === "abandon" ? "wait" : state.withoutPidLine;
      const withoutPidLine = isAlive === false ? "abandon" : before;
      return { ...state, isLookPending: false, startBy, withoutPidLine };
    },
    claim_refused: (state, { startBy }) => ({
      ...state,
      withoutPidLine: "wait",
      startBy: state.startBy ?? startBy,
    }),
    claimed: ({ launchError: error }) =>
      over(error === null ? { type: "not_launched" } : { type: "start_failed", error }),
    start_failed: (_, { error }) => over({ type: "start_failed", error }),
    started: ({ isWatched, stopSignal }, { process, startedAt }) => ({
      name: "running",
      process,
      startedAt,
      isWatched,
      stopSignal,
    }),
    stop_requested: (state, { signal }) => ({ ...state, stopSignal: state.stopSignal ?? signal }),
  },
  running: {
    watched: (state) => ({ ...state, isWatched: true }),
    stop_requested: (state, { signal }) => ({ ...state, stopSignal: state.stopSignal ?? signal }),
    ladder_started: ({ process, startedAt }, { signal }) => ({
      name: "stopping",
      process,
      startedAt,
      signal,
      exit: null,
    }),
    exited: (state, { code }) => draining(state, { exit: { code }, survivors: null }),
  },
  stopping: {
    exited: (state, { code }) => ({ ...state, exit: { code } }),
    swept: (state, { survivors }) => draining(state, { exit: state.exit, survivors }),
  },
  draining: {
    exited: (state, { code }) => ({ ...state, exit: { code } }),
    output_measured: (state, { size }) => ({ ...state, readTo: size }),
    drained({ process, startedAt, exit, survivors }, { details }) {
      const ended = { exitCode: exit?.code ?? null, survivors: survivors ?? [], ...details };
      return over({ type: "ended", ...ended }, { process, startedAt });
    },
  },
  over: {},
};

function draining(
  { process, startedAt }: Started,
  how: Pick<AttemptState<"draining">, "exit" | "survivors">,
): AttemptState {
  return { name: "draining", process, startedAt, ...how, readTo: null };
}

function over(end: AttemptEnd, started: Started | null = null): AttemptState {
  return { name: "over", end, started };
}

/** An attempt that this daemon launches. */
export function launching(): AttemptState<"launching"> {
  return {
    name: "launching",
    launcher: null,
    isWatched: false,
    startBy: null,
    isLookPending: false,
    withoutPidLine: "wait",
    launchError: null,
    stopSignal: null,
  };
}

/** An attempt of an earlier daemon. If it has no pid line, no process may be left to start it. */
export function adopted(
  process: ProcessIdentity | null,
  startedAt: number | null,
): AttemptState<"launching" | "running"> {
  if (process === null) return { ...launching(), withoutPidLine: "claim" };
  return {
    name: "running",
    process,
    startedAt: startedAt ?? 0,
    isWatched: false,
    stopSignal: null,
  };
}

export function accepts(state: AttemptState, type: AttemptEventType): boolean {
  return TRANSITIONS[state.name][type] !== undefined;
}

export function nextAttempt<Name extends AttemptStateName>(
  state: AttemptState<Name>,
  event: AttemptEvent,
): AttemptState {
  return apply(TRANSITIONS[state.name], state, event);
}

function apply<State extends { readonly name: string }, Type extends AttemptEventType>(
  row: Row<State>,
  state: State,
  event: AttemptEvent<Type>,
): AttemptState {
  const transition = row[event.type];
  if (transition) return transition(state, event);
  throw new Refusal("TRANSITION_NOT_ALLOWED", {
    en: [
      `The attempt is ${state.name}; ${event.type} does not apply.`,
      `Allowed now: ${Object.keys(row).join(", ") || "nothing, it is final"}.`,
    ],
    ja: [
      `プロセスの状態は ${state.name} なので、${event.type} はできません。`,
      `今できること: ${Object.keys(row).join(", ") || "なし（終わっています）"}。`,
    ],
  });
}

/** Its process is known to have ended, or never to have been. */
export function hasEnded(state: AttemptState): boolean {
  return state.name === "over" || ("exit" in state && state.exit !== null);
}

/** Undefined while no pid line has been seen. */
export function startedOf(state: AttemptState): Started | undefined {
  if (state.name === "launching") return undefined;
  return state.name === "over" ? (state.started ?? undefined) : state;
}
