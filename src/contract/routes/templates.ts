import { z } from "zod";
import { TASK_DOORS, TASK_PRIORITIES } from "../../domain/tasks/task.ts";
import type { RouteContract } from "../route-contract.ts";
import { expectedHashShape } from "../shapes/roles.ts";
import {
  templateProblemShape,
  templateShape,
  templateSummaryShape,
  templateUsedShape,
} from "../shapes/templates.ts";
import { idText, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listTemplates = {
  ...NO_INPUT,
  method: "get",
  path: "/api/templates",
  summary: "Templates of tasks, groups and roles, and the files that cannot be used.",
  answer: z.object({
    templates: z.array(templateSummaryShape),
    problems: z.array(templateProblemShape).describe("Files that are not used, and why"),
    folder: z
      .string()
      .describe("For template files of this server; without PostgreSQL templates are saved here"),
  }),
} as const satisfies RouteContract;

export const getTemplate = {
  ...ONLY_ID,
  method: "get",
  path: "/api/templates/{id}",
  summary: "One template with its values and texts.",
  answer: templateShape,
} as const satisfies RouteContract;

export const useTemplate = {
  ...ONLY_ID,
  method: "post",
  path: "/api/templates/{id}/use",
  summary:
    "Start the task or the group of a template, or add its role to the configuration (admin).",
  body: z.strictObject({
    values: z.record(z.string().max(100), z.string().max(20_000)).default({}),
    locale: z.enum(["ja", "en"]).optional().describe("Default: the language of the configuration"),
    workingDirectory: z.string().max(4_096).optional(),
    priority: z.enum(TASK_PRIORITIES).optional(),
    door: z.enum(TASK_DOORS).default("web").describe("Where the person asked"),
    hasReadUntrusted: z
      .boolean()
      .default(false)
      .describe("Needed for a template of a folder that is not trusted"),
    dryRun: z
      .boolean()
      .default(false)
      .describe("A role: answers the file's text before and after, and writes nothing"),
    expectedHash: expectedHashShape.describe("A role: hash of the configuration file you saw"),
  }),
  status: 201,
  answer: templateUsedShape,
} as const satisfies RouteContract;

export const saveTemplate = {
  ...NO_INPUT,
  method: "post",
  path: "/api/templates",
  summary:
    "Save a task that has ended as a template: its request, and its prompt and steps as hints.",
  body: z.strictObject({
    taskId: idText,
    id: z.string().max(100).optional().describe("Default: made of the title of the task"),
    name: z.string().trim().min(1).max(100).optional().describe("Default: the title of the task"),
    overwrite: z.boolean().default(false),
  }),
  status: 201,
  answer: z.object({
    id: z.string(),
    path: z.string(),
    removedSecrets: z.number().describe("Texts that looked like secrets and were left out"),
  }),
} as const satisfies RouteContract;

export const removeTemplate = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/templates/{id}",
  summary: "Remove a template that is saved in PostgreSQL. Template files are deleted by hand.",
  answer: z.object({ id: z.string() }),
} as const satisfies RouteContract;
