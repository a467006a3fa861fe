import type { RunnerId } from "../../domain/agents/runner.ts";
import {
  judge,
  pairKey,
  type HealthCheckResult,
  type KnownModels,
  type Pair,
  type PairHealth,
  type Target,
} from "../../domain/health/health.ts";
import { modelsOfHosts, type OtherLists } from "../../domain/health/host-models.ts";
import type { RunnerCheck } from "../../domain/health/runner-check.ts";
import { isLimit, type RunnerProblem } from "../../domain/health/runner-problem.ts";
import type { Clock } from "../ports/world.ts";
import { createProbes, type Probes } from "./probes.ts";

export type HealthRequest = {
  /** null: every role. */
  readonly roleIds: readonly string[] | null;
  /** Ignores cached results. */
  readonly force: boolean;
};

type Run = (request: HealthRequest, signal: AbortSignal) => Promise<void>;

export type RolePhase = {
  readonly phase: "waiting" | "validated" | "checking" | "done";
  readonly since: number;
};

/**
 * What is known about models and CLIs. Results are computed from it at each read, so a role that has
 * just been changed is judged by its new model.
 */
export type Health = {
  readonly state: "idle" | "running";
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** 0: never run. 1: models, 2: roles, 3: complete. */
  readonly step: 0 | 1 | 2 | 3;
  get(roleId: string): HealthCheckResult | undefined;
  all(): readonly HealthCheckResult[];
  phaseOf(roleId: string): RolePhase | undefined;
  readonly judge: (target: Target) => HealthCheckResult;
  /** Those of the CLI of this server. */
  models(runner: RunnerId): KnownModels | undefined;
  /** Those of all hosts that run agents. */
  offered(runner: RunnerId): KnownModels | undefined;
  pair(target: Pair): PairHealth | undefined;
  /** Without a sign-out that is no problem, because another host can use the CLI. */
  problem(runner: RunnerId): RunnerProblem | undefined;
  /** Also a sign-out that is no problem now. */
  knownProblem(runner: RunnerId): RunnerProblem | undefined;
  problems(): readonly RunnerProblem[];
  setProblem(problem: RunnerProblem): void;
  clearProblem(runner: RunnerId): void;
  /** Concurrent callers share one question to the CLI. */
  askOnce(runner: RunnerId, ask: () => Promise<KnownModels | undefined>): ReturnType<typeof ask>;
  learnModels(runner: RunnerId, known: KnownModels): void;
  learnPair(pair: Pair & PairHealth): void;
  /** The last check of this runner since the daemon started. */
  runner(id: RunnerId): RunnerCheck | undefined;
  learnRunner(check: RunnerCheck): void;
  /** Concurrent callers with the same key share one run of the CLI. */
  checkOnce(key: string, check: () => Promise<RunnerCheck>): Promise<RunnerCheck>;
  setTargets(targets: readonly Target[]): void;
  setPhase(roleIds: readonly string[], phase: RolePhase["phase"]): void;
  setStep(step: Health["step"]): void;
  /** One run at a time; requests during a run are merged into one more run. Never rejects. */
  inTurn(request: HealthRequest, run: Run): Promise<void>;
  /** The runs of CLIs that a check has started. */
  readonly probes: Probes;
  /** Aborted by close(): a slow CLI must not delay the stop of the daemon. */
  readonly closing: AbortSignal;
  /** Aborts the runs under way and starts no more. */
  close(): Promise<void>;
};

export function createHealth(
  clock: Clock,
  isUsableElsewhere: (runner: RunnerId) => boolean = () => false,
  listsElsewhere: (runner: RunnerId) => OtherLists | undefined = () => undefined,
): Health {
  const models = new Map<RunnerId, KnownModels>();
  const pairs = new Map<string, PairHealth>();
  const targets = new Map<string, Target>();
  const phases = new Map<string, RolePhase>();
  const runners = new Map<RunnerId, RunnerCheck>();
  const asking = new Map<RunnerId, Promise<KnownModels | undefined>>();
  const checking = new Map<string, Promise<RunnerCheck>>();
  const problems = createProblems(isUsableElsewhere);
  const turns = createTurns();
  let step: Health["step"] = 0;
  let startedAt: number | null = null;
  let finishedAt: number | null = null;

  const offered = (runner: RunnerId) => withOthers(models.get(runner), listsElsewhere(runner));
  const resultOf = (target: Target): HealthCheckResult =>
    judge(
      target,
      offered(target.runner),
      pairs.get(pairKey(target)),
      clock.now(),
      problems.problem(target.runner),
    );

  return {
    get state() {
      return turns.isRunning() ? "running" : "idle";
    },
    get startedAt() {
      return startedAt;
    },
    get finishedAt() {
      return finishedAt;
    },
    get step() {
      return step;
    },
    get(roleId) {
      const target = targets.get(roleId);
      return target && resultOf(target);
    },
    all: () => [...targets.values()].map(resultOf),
    phaseOf: (roleId) => phases.get(roleId),
    judge: resultOf,
    models: (runner) => models.get(runner),
    offered,
    pair: (target) => pairs.get(pairKey(target)),
    ...problems,
    askOnce: (runner, ask) => shareUnderWay(asking, runner, ask),
    checkOnce: (key, check) => shareUnderWay(checking, key, check),
    runner: (id) => runners.get(id),
    learnRunner: (check) => void runners.set(check.runner, check),
    learnModels: (runner, known) => void models.set(runner, known),
    learnPair: (record) => void pairs.set(pairKey(record), record),
    setTargets(next) {
      for (const target of next) targets.set(target.roleId, target);
    },
    setPhase(roleIds, phase) {
      for (const roleId of roleIds) phases.set(roleId, { phase, since: clock.now() });
    },
    setStep(next) {
      step = next;
    },
    inTurn: (request, run) =>
      turns.add(request, async (merged, signal) => {
        startedAt = clock.now();
        finishedAt = null;
        await run(merged, signal);
        finishedAt = clock.now();
      }),
    probes: createProbes(),
    closing: turns.closing,
    async close() {
      const closed = turns.close();
      await Promise.allSettled([closed, ...checking.values()]);
    },
  };
}

function withOthers(
  own: KnownModels | undefined,
  others: OtherLists | undefined,
): KnownModels | undefined {
  return own && others ? modelsOfHosts(own, others) : own;
}

type Problems = Pick<
  Health,
  "problem" | "knownProblem" | "problems" | "setProblem" | "clearProblem"
>;

function createProblems(isUsableElsewhere: (runner: RunnerId) => boolean): Problems {
  const known = new Map<RunnerId, RunnerProblem>();
  // A limit belongs to the account, which all hosts use. Whether a CLI is signed in differs by host.
  const counts = ({ runner, kind }: RunnerProblem): boolean =>
    isLimit(kind) || !isUsableElsewhere(runner);
  const problems = (): readonly RunnerProblem[] => [...known.values()].filter(counts);
  return {
    problem: (runner) => problems().find((each) => each.runner === runner),
    knownProblem: (runner) => known.get(runner),
    problems,
    setProblem: (problem) => void known.set(problem.runner, problem),
    clearProblem: (runner) => void known.delete(runner),
  };
}

function shareUnderWay<Key, Result>(
  underWay: Map<Key, Promise<Result>>,
  key: Key,
  start: () => Promise<Result>,
): Promise<Result> {
  const shared = underWay.get(key) ?? start().finally(() => underWay.delete(key));
  underWay.set(key, shared);
  return shared;
}

type Waiting = { request: HealthRequest; readonly done: Promise<void> };

function createTurns() {
  const closing = new AbortController();
  let current: Promise<void> | undefined;
  let next: Waiting | undefined;

  function start(request: HealthRequest, run: Run): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve();
    current = run(request, closing.signal).finally(() => (current = undefined));
    return current;
  }

  return {
    closing: closing.signal,
    isRunning: () => current !== undefined,
    add(request: HealthRequest, run: Run): Promise<void> {
      // Check `next` first: between two runs `next` is set while `current` is not.
      if (next) {
        next.request = merge(next.request, request);
        return next.done;
      }
      if (!current) return start(request, run);
      const waiting: Waiting = {
        request,
        done: current.then(() => {
          next = undefined;
          return start(waiting.request, run);
        }),
      };
      next = waiting;
      return waiting.done;
    },
    async close(): Promise<void> {
      closing.abort(new Error("The daemon is stopping."));
      await current;
    },
  };
}

function merge(one: HealthRequest, other: HealthRequest): HealthRequest {
  const roleIds =
    one.roleIds && other.roleIds ? [...new Set([...one.roleIds, ...other.roleIds])] : null;
  return { roleIds, force: one.force || other.force };
}
