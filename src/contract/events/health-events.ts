import { z } from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { PROBLEM_KINDS } from "../../domain/health/runner-problem.ts";
import { healthCheckResult } from "../shapes/health.ts";
import { defineEvent } from "./define-event.ts";
import { checkedRole, checkedRunner, count, text } from "./fields.ts";

const { modelValidation } = healthCheckResult.shape;

/** Events about health checks and runners. */
export const HEALTH_EVENTS = [
  defineEvent("healthcheck:model_validation", "any", "stored", "The CLIs named their models.", {
    results: z.array(modelValidation.extend(checkedRole)).readonly(),
    availableModels: z.record(text, z.array(text).readonly()),
  }),
  defineEvent("healthcheck:role_start", "any", "stored", "The check of a role began.", checkedRole),
  defineEvent("healthcheck:role_complete", "any", "stored", "The check of a role ended.", {
    ...healthCheckResult.shape,
    cached: z.boolean(),
  }),
  defineEvent("healthcheck:runner_complete", "any", "stored", "A CLI was checked.", checkedRunner),
  defineEvent("healthcheck:complete", "any", "stored", "The health check ended.", {
    total: count,
    available: count,
    duration_ms: count,
    results: z.array(healthCheckResult).readonly(),
  }),
  defineEvent(
    "runner:problem",
    "any",
    "stored",
    "A runner is signed out or at a limit; agents that could use it wait or use another.",
    {
      runner: z.enum(RUNNER_IDS),
      kind: z.enum(PROBLEM_KINDS),
      reason: text,
      since: count,
      until: count.nullable().describe("The end of the pause; null: signed out"),
      resetKnown: z.boolean().describe("The vendor has named that time"),
    },
  ),
  defineEvent("runner:ready", "any", "stored", "A runner works again.", {
    runner: z.enum(RUNNER_IDS),
  }),
] as const;
