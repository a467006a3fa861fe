import * as z from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { LOCALES } from "../../domain/locale.ts";

/** The result for one role, with suggestions if its model is invalid. */
export const healthCheckResult = z.object({
  roleId: z.string(),
  runner: z.enum(RUNNER_IDS),
  model: z.string(),
  modelValidation: z.object({
    status: z.enum(["valid", "invalid"]),
    message: z.string().optional(),
    suggestions: z.array(z.string()).readonly(),
    checkedAt: z.string(),
  }),
  healthCheck: z.object({
    status: z.enum(["passed", "failed", "skipped"]),
    reason: z.string().optional(),
    responseTime_ms: z.number().optional(),
    checkedAt: z.string().optional(),
    access: z
      .enum(["read-only", "read-write"])
      .optional()
      .describe("The access mode that was checked; the other one may differ"),
  }),
  available: z.boolean(),
});
export type WireHealthResult = z.infer<typeof healthCheckResult>;

export const healthCheckView = z.object({
  state: z.enum(["idle", "running"]),
  step: z.number().int().min(0).max(3).describe("0: not run yet, 1: models, 2: roles, 3: complete"),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  total: z.number().int(),
  available: z.number().int(),
  progress: z
    .array(
      z.object({
        roleId: z.string(),
        runner: z.enum(RUNNER_IDS),
        model: z.string(),
        modelValidation: z.enum(["waiting", "valid", "invalid"]),
        healthCheck: z.enum(["waiting", "checking", "passed", "failed", "skipped"]),
        since: z.string().describe("Time of the last change"),
      }),
    )
    .readonly()
    .describe("Progress of each role in steps 1 and 2"),
  results: z.array(healthCheckResult).readonly(),
});
export type WireHealth = z.infer<typeof healthCheckView>;

export const runnerModels = z.object({
  runner: z.enum(RUNNER_IDS),
  models: z.array(z.string()).readonly(),
  checkedAt: z.string().nullable(),
  note: z.string().nullable().describe("Why there are no models"),
});
export type WireRunnerModels = z.infer<typeof runnerModels>;

export const systemView = z.object({
  version: z.string(),
  platform: z.string(),
  node: z.string(),
  locale: z.enum(LOCALES).describe("Language of the product's texts"),
  maxConcurrent: z.int().describe("How many agents may be alive at the same time"),
  runners: z
    .array(
      z.object({
        id: z.enum(RUNNER_IDS),
        command: z.string().nullable().describe("null: not found on PATH"),
      }),
    )
    .readonly(),
  models: z.array(runnerModels).readonly(),
  untrusted: z
    .object({
      path: z.string(),
      notUsed: z.array(z.string()).readonly(),
      problem: z.string().nullable(),
      command: z.string().describe("The command that shows the file and asks for trust"),
    })
    .nullable()
    .describe("Parts of the configuration file that are not used, because the file is not trusted"),
});
export type WireSystem = z.infer<typeof systemView>;
