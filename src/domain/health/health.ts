import type { Access } from "../agents/agent.ts";
import type { RunnerId } from "../agents/runner.ts";
import { nearestFew } from "../text/nearest.ts";
import { runnerStateOf, type RunnerProblem } from "./runner-problem.ts";

/** What a role would run with now. */
export type Target = {
  readonly roleId: string;
  readonly runner: RunnerId;
  readonly model: string;
  readonly access: Access;
  /** The runner's default model, which is valid without a list of models. */
  readonly defaultModel: string | null;
  /** The runner takes models that it does not list. */
  readonly takesOtherModels: boolean;
  /** Why the role cannot run at all; null if the CLI is there. */
  readonly missing: string | null;
};

/** The models a CLI lists; undefined: it lists none. */
export type KnownModels = {
  readonly models: readonly string[] | undefined;
  readonly checkedAt: number;
  /** The CLI was not installed on this server when it was asked. */
  readonly isMissing?: boolean;
};

/**
 * The check of one model of one runner in one access mode; it says nothing about the other mode.
 */
export type PairHealth = {
  readonly status: "passed" | "failed";
  readonly reason: string | null;
  readonly responseMs: number | null;
  readonly checkedAt: number;
  /** Whether the CLI connected to our MCP server and called its tool; not stored. */
  readonly connected?: boolean;
  readonly calledTool?: boolean;
};

/**
 * The health check result of docs/spec.md, plus what was asked and suggestions for other models.
 */
export type HealthCheckResult = {
  readonly roleId: string;
  readonly runner: RunnerId;
  readonly model: string;
  readonly modelValidation: {
    readonly status: "valid" | "invalid";
    readonly message?: string;
    readonly suggestions: readonly string[];
    readonly checkedAt: string;
  };
  readonly healthCheck: {
    readonly status: "passed" | "failed" | "skipped";
    readonly reason?: string;
    readonly responseTime_ms?: number;
    readonly checkedAt?: string;
    /** The access mode that was tried; absent if the CLI was not asked. */
    readonly access?: Access;
    /** Absent if the CLI was not asked since the daemon started. */
    readonly connected?: boolean;
    readonly calledTool?: boolean;
  };
  readonly available: boolean;
};

type Validation = HealthCheckResult["modelValidation"];
type Check = HealthCheckResult["healthCheck"];

/** Only a failed check makes a role unavailable; a missing one does not. */
export function judge(
  target: Target,
  known: KnownModels | undefined,
  pair: PairHealth | undefined,
  now: number,
  problem?: RunnerProblem,
): HealthCheckResult {
  const { roleId, runner, model } = target;
  const modelValidation = validate(target, known, now);
  const healthCheck = problemCheck(problem, now) ?? checkOf(target, modelValidation, pair, now);
  const available = modelValidation.status === "valid" && healthCheck.status !== "failed";
  return { roleId, runner, model, modelValidation, healthCheck, available };
}

/** Why a role is unavailable, for people and agents; null if it is available. */
export function reasonOf({
  available,
  modelValidation,
  healthCheck,
}: HealthCheckResult): string | null {
  if (available) return null;
  const message =
    modelValidation.status === "invalid" ? modelValidation.message : healthCheck.reason;
  return message ?? "The health check failed.";
}

/** What one check covers: roles that share all three are checked once. */
export type Pair = Pick<Target, "runner" | "model" | "access">;

export function pairKey({ runner, model, access }: Pair): string {
  return `${runner} ${access} ${model}`;
}

export function isFresh(checkedAt: number, now: number, ttlMs: number): boolean {
  const age = now - checkedAt;
  // A time in the future means that the clock was changed: such an entry would never expire.
  return age >= 0 && age < ttlMs;
}

export function isOffered(
  { model, defaultModel }: Pick<Target, "model" | "defaultModel">,
  models: readonly string[],
): boolean {
  return model === "default" || model === defaultModel || models.includes(model);
}

function validate(target: Target, known: KnownModels | undefined, now: number): Validation {
  const { runner, model } = target;
  const checkedAt = iso(known?.checkedAt ?? now);
  const valid = (message?: string): Validation => ({
    status: "valid",
    ...(message && { message }),
    suggestions: [],
    checkedAt,
  });
  if (target.missing !== null) return valid("Not verifiable: there is no CLI to ask.");
  if (!known) return valid("Not checked yet.");
  if (runner === "rehearsal") return valid("A rehearsal works with any model name.");
  if (!known.models) return valid(`Not verifiable: ${runner} did not name its models.`);
  if (isOffered(target, known.models)) return valid();
  if (target.takesOtherModels) {
    return valid(`Not verifiable: ${runner} also takes models that it does not list.`);
  }
  return {
    status: "invalid",
    message: `${runner} has no model "${model}".`,
    suggestions: suggestModels(model, known.models),
    checkedAt,
  };
}

/** A limit makes no role unavailable: its agents wait. A CLI that is signed out does. */
function problemCheck(problem: RunnerProblem | undefined, now: number): Check | undefined {
  switch (runnerStateOf(problem, now)) {
    case "signed-out":
      return {
        status: "failed",
        reason: problem?.reason || "The CLI is signed out.",
        ...(problem && { checkedAt: iso(problem.since) }),
      };
    case "paused":
      return { status: "skipped", reason: problem?.reason || "The runner is at a limit." };
    case "trial":
    case "ready":
      return undefined;
  }
}

function checkOf(
  target: Target,
  validation: Validation,
  pair: PairHealth | undefined,
  now: number,
): Check {
  if (target.missing !== null) {
    return { status: "failed", reason: target.missing, checkedAt: iso(now) };
  }
  if (validation.status === "invalid")
    return { status: "skipped", reason: "The model is invalid." };
  if (!pair) return { status: "skipped", reason: "Not checked yet." };
  return {
    status: pair.status,
    ...(pair.reason !== null && { reason: pair.reason }),
    ...(pair.responseMs !== null && { responseTime_ms: pair.responseMs }),
    checkedAt: iso(pair.checkedAt),
    ...(target.runner !== "rehearsal" && { access: target.access }),
    ...(pair.connected !== undefined && { connected: pair.connected }),
    ...(pair.calledTool !== undefined && { calledTool: pair.calledTool }),
  };
}

const SUGGESTIONS = 3;

/** Similar names, else names with a word in common, else the first ones. */
export function suggestModels(model: string, models: readonly string[]): readonly string[] {
  const alike = nearestFew(model, models, SUGGESTIONS);
  if (alike.length > 0) return alike;
  const words = wordsOf(model);
  const related = models
    .map((name) => ({ name, shared: wordsOf(name).filter((word) => words.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .map(({ name }) => name);
  return (related.length > 0 ? related : models).slice(0, SUGGESTIONS);
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
