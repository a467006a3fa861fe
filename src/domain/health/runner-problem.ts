import type { Failure, FailureKind, RunnerId } from "../agents/runner.ts";
import { nextState, type Transitions } from "../transition.ts";
import type { RunFailure } from "./runner-check.ts";

/** Limits of a vendor: no agent is started until they are over. */
export const LIMITS = ["quota", "rate-limit", "overloaded"] as const;
type LimitKind = (typeof LIMITS)[number];

export const PROBLEM_KINDS = ["signed-out", ...LIMITS] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Why a runner cannot be used now. A runner without one is ready. */
export type RunnerProblem = {
  readonly runner: RunnerId;
  readonly kind: ProblemKind;
  /** The CLI's own words. */
  readonly reason: string;
  readonly since: number;
  /** The end of a pause; null: signed out, so only an answer ends it. */
  readonly until: number | null;
  /** The vendor has said when the limit ends. */
  readonly isResetKnown: boolean;
  /** Pauses in a row; each doubles the back-off. */
  readonly count: number;
};

export const RUNNER_STATES = ["ready", "paused", "trial", "signed-out"] as const;
export type RunnerState = (typeof RUNNER_STATES)[number];

export const RUNNER_EVENTS = [
  /** An agent or a health check failed because of a limit. */
  "limited",
  "signed_out",
  /** The model answered an agent that was started after the problem began. */
  "answered",
  "check_passed",
  /** The pause is over. */
  "due",
  /** A person wants to try at once. */
  "tried",
] as const;
export type RunnerEventName = (typeof RUNNER_EVENTS)[number];

/** On trial one agent is started; the others wait for the model's first answer to it. */
const RUNNER_TRANSITIONS: Transitions<RunnerState, RunnerEventName> = {
  ready: {
    limited: "paused",
    signed_out: "signed-out",
    answered: "ready",
    check_passed: "ready",
  },
  paused: {
    limited: "paused",
    signed_out: "signed-out",
    check_passed: "ready",
    due: "trial",
    tried: "trial",
  },
  trial: {
    limited: "paused",
    signed_out: "signed-out",
    answered: "ready",
    check_passed: "ready",
    tried: "trial",
  },
  "signed-out": {
    limited: "paused",
    signed_out: "signed-out",
    answered: "ready",
    check_passed: "ready",
  },
};

export function nextRunnerState(state: RunnerState, event: RunnerEventName): RunnerState {
  return nextState(RUNNER_TRANSITIONS, { en: "The runner", ja: "ランナー" }, state, event);
}

export function runnerStateOf(problem: RunnerProblem | undefined, now: number): RunnerState {
  if (!problem) return "ready";
  if (problem.until === null) return "signed-out";
  return problem.until > now ? "paused" : "trial";
}

/** Failures that say something about the runner and not only about one agent. */
export function isRunnerProblem(kind: RunFailure): kind is ProblemKind {
  return PROBLEM_KINDS.some((each) => each === kind);
}

export function isLimit(kind: FailureKind): kind is LimitKind {
  return LIMITS.some((each) => each === kind);
}

const MINUTE_MS = 60_000;

/** The back-off where the vendor does not say when its limit ends. */
const BACK_OFF: Readonly<Record<LimitKind, { readonly first: number; readonly most: number }>> = {
  quota: { first: 15 * MINUTE_MS, most: 240 * MINUTE_MS },
  "rate-limit": { first: MINUTE_MS / 2, most: 15 * MINUTE_MS },
  overloaded: { first: MINUTE_MS / 2, most: 15 * MINUTE_MS },
};
/** Weekly limits are the longest; a later time is a mistake. */
const LONGEST_RESET_MS = 8 * 24 * 60 * MINUTE_MS;

export type Seen = {
  readonly runner: RunnerId;
  readonly kind: ProblemKind;
  readonly resetsAt: Failure["resetsAt"];
  readonly reason: string;
  readonly now: number;
};

/** The problem after a failure. Agents that fail during a pause do not double its back-off. */
export function problemAfter(known: RunnerProblem | undefined, seen: Seen): RunnerProblem {
  const { runner, kind, reason, now } = seen;
  const state = runnerStateOf(known, now);
  nextRunnerState(state, isLimit(kind) ? "limited" : "signed_out");
  if (!isLimit(kind)) {
    const since = known?.kind === kind ? known.since : now;
    return { runner, kind, reason, since, until: null, isResetKnown: false, count: 0 };
  }
  const isPaused = state === "paused";
  const count = isPaused ? (known?.count ?? 1) : state === "trial" ? (known?.count ?? 0) + 1 : 1;
  const { until, isResetKnown } = pauseOf(kind, count, seen);
  if (isPaused && known && isFirmer(known, until, isResetKnown)) return known;
  return { runner, kind, reason, since: now, until, isResetKnown, count };
}

/** A reset that the vendor has named counts more than a back-off, and a longer pause more. */
function isFirmer(known: RunnerProblem, until: number, isResetKnown: boolean): boolean {
  if (known.isResetKnown !== isResetKnown) return known.isResetKnown;
  return (known.until ?? 0) >= until;
}

function pauseOf(kind: LimitKind, count: number, { resetsAt, now }: Seen) {
  const isResetKnown = resetsAt !== null && resetsAt > now && resetsAt - now <= LONGEST_RESET_MS;
  // A vendor may name fractions of a millisecond, and the store has whole ones.
  if (isResetKnown) return { until: Math.ceil(resetsAt), isResetKnown };
  const { first, most } = BACK_OFF[kind];
  return { until: now + Math.min(first * 2 ** (count - 1), most), isResetKnown };
}
