import * as z from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { FINDING_KINDS, RUNNER_STATUSES } from "../../domain/health/runner-check.ts";
import { PROBLEM_KINDS } from "../../domain/health/runner-problem.ts";
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
    connected: z.boolean().optional().describe("The CLI connected to our MCP server"),
    calledTool: z.boolean().optional().describe("The model called a tool of our MCP server"),
  }),
  available: z.boolean(),
});
export type WireHealthResult = z.infer<typeof healthCheckResult>;

/** What one real run of an agent CLI showed, and what to do about it. */
export const runnerCheckShape = z.object({
  runner: z.enum(RUNNER_IDS),
  status: z
    .enum(RUNNER_STATUSES)
    .describe("`works`, `limited` (it answers, but calls no tool of ours), `failed`, `not-found`"),
  command: z.string().nullable().describe("The path of the CLI; null: not found on PATH"),
  version: z.string().nullable(),
  tested: z
    .object({ oldest: z.string(), newest: z.string() })
    .nullable()
    .describe("The versions that Kuromajutsu was run with; null: none"),
  signedIn: z.boolean().nullable().describe("null: the run did not show it"),
  answered: z.boolean(),
  connected: z.boolean().describe("It connected to our MCP server"),
  calledTool: z.boolean().describe("Its model called a tool of our MCP server"),
  responseTime_ms: z.number().nullable(),
  findings: z
    .array(
      z.object({
        kind: z.enum(FINDING_KINDS),
        run: z.string().nullable().describe("The command that helps, for a terminal"),
        detail: z.string().nullable().describe("What the CLI said, or the version that is meant"),
      }),
    )
    .readonly(),
  missingVariables: z
    .array(z.string())
    .readonly()
    .describe("Variables that sign the CLI in and that the daemon does not have"),
  clientKeys: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe("Variables of the terminal of `kuromajutsu doctor` that the run used"),
  checkedAt: z.string(),
});
export type WireRunnerCheck = z.infer<typeof runnerCheckShape>;

export const runnerProblem = z.object({
  runner: z.enum(RUNNER_IDS),
  kind: z.enum(PROBLEM_KINDS),
  reason: z.string().describe("The CLI's own words"),
  since: z.string(),
  until: z
    .string()
    .nullable()
    .describe("No agent is started before; later one is, as a trial. null: signed out"),
  resetKnown: z.boolean().describe("The vendor has named the time"),
});
export type WireRunnerProblem = z.infer<typeof runnerProblem>;

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
  problems: z
    .array(runnerProblem)
    .readonly()
    .exactOptional()
    .describe("Runners that are signed out or at a limit of their vendor; absent: none"),
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
  command: z.string().describe("How a person starts a command: kuromajutsu or npx kuromajutsu"),
  locale: z.enum(LOCALES).describe("Language of what the daemon writes by itself"),
  chosenLocale: z
    .enum(LOCALES)
    .nullable()
    .describe("Language that the configuration names for everyone; null: each request decides"),
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
  rehearsalNote: z
    .string()
    .optional()
    .describe("Why agents of every role only rehearse; absent: some do real work"),
});
export type WireSystem = z.infer<typeof systemView>;
