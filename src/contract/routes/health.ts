import { z } from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import type { RouteContract } from "../route-contract.ts";
import {
  healthCheckResult,
  healthCheckView,
  runnerCheckShape,
  runnerModels,
  systemView,
} from "../shapes/health.ts";
import { NO_INPUT } from "./inputs.ts";

/** These routes have always ignored query parameters they do not know. */
const LENIENT = { params: z.object({}), query: z.object({}), body: z.undefined() };

export const getHealthCheck = {
  ...LENIENT,
  method: "get",
  path: "/api/health-check",
  summary: "The last health check, or the one that runs now",
  answer: healthCheckView,
} as const satisfies RouteContract;

export const runHealthCheck = {
  ...LENIENT,
  method: "post",
  path: "/api/health-check",
  summary: "Check roles again; the answer does not wait for the results",
  body: z
    .strictObject({
      roleIds: z.array(z.string()).min(1).optional().describe("Left out: every role"),
    })
    .optional(),
  answer: healthCheckView,
  status: 202,
} as const satisfies RouteContract;

export const revalidateRole = {
  ...LENIENT,
  method: "post",
  path: "/api/roles/{id}/revalidate",
  summary: "Ask the role's CLI for its models again; a valid model then gets a health check",
  params: z.object({ id: z.string() }),
  answer: healthCheckResult,
} as const satisfies RouteContract;

export const listModels = {
  ...LENIENT,
  method: "get",
  path: "/api/models",
  summary: "The models that each CLI offers",
  answer: z.object({ models: z.array(runnerModels).readonly() }),
} as const satisfies RouteContract;

export const listRunners = {
  ...NO_INPUT,
  method: "get",
  path: "/api/runners",
  summary: "The agent CLIs that this version can run, and what their last checks showed",
  answer: z.object({
    runners: z
      .array(
        z.object({
          runner: z.enum(RUNNER_IDS),
          command: z.string().nullable().describe("null: not found on PATH"),
          check: runnerCheckShape.nullable().describe("null: not checked since the daemon started"),
        }),
      )
      .readonly(),
  }),
} as const satisfies RouteContract;

/** It runs the CLI, so it is not a GET: a page of another site can make a browser send a GET. */
export const checkRunner = {
  ...NO_INPUT,
  method: "post",
  path: "/api/runners/{id}/check",
  summary: "Run an agent CLI once; the answer comes when the run has ended",
  params: z.object({ id: z.enum(RUNNER_IDS) }),
  answer: runnerCheckShape,
} as const satisfies RouteContract;

export const getSystem = {
  ...LENIENT,
  method: "get",
  path: "/api/system",
  summary: "This server: version, platform, CLIs found, models",
  answer: systemView,
} as const satisfies RouteContract;

export const tryRunner = {
  ...LENIENT,
  method: "post",
  path: "/api/runners/{id}/try",
  summary: "End the pause of a runner: its next agent is started at once, as a trial",
  params: z.object({ id: z.enum(RUNNER_IDS) }),
  answer: healthCheckView,
} as const satisfies RouteContract;
