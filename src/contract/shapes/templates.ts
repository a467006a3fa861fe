import { z } from "zod";
import { TASK_PRIORITIES } from "../../domain/tasks/task.ts";
import {
  TEMPLATE_ICONS,
  TEMPLATE_KINDS,
  TEMPLATE_SOURCES,
} from "../../domain/templates/template.ts";
import { groupShape } from "./groups.ts";
import { roleSavedShape } from "./roles.ts";
import { taskShape } from "./tasks.ts";

const words = z.object({ ja: z.string(), en: z.string() }).describe("In both languages");

const valueShape = z.object({
  name: z.string().describe("`{{name}}` in a text stands for it"),
  label: words,
  help: words.nullable(),
  default: words.nullable().describe("null: a value must be given"),
  choices: z.array(words).readonly().describe("Empty: any text"),
  isLong: z.boolean(),
});

/** A template in lists. */
export const templateSummaryShape = z.object({
  id: z.string(),
  kind: z.enum(TEMPLATE_KINDS),
  mode: z.enum(["concurrent", "sequential", "magentic"]).nullable().describe("Of a group"),
  icon: z.enum(TEMPLATE_ICONS),
  name: words,
  description: words,
  languages: z.array(z.enum(["ja", "en"])).readonly(),
  source: z
    .enum(TEMPLATE_SOURCES)
    .describe(
      "builtin, saved (in PostgreSQL, the same on every server), user (this user's own), or folder (beside the configuration file)",
    ),
  path: z.string().describe("Of the file; database:… if it is saved in PostgreSQL"),
  isTrusted: z.boolean().describe("false: it is part of a folder that is not trusted"),
  stages: z
    .array(z.array(z.string()).readonly())
    .readonly()
    .describe("The roles of each stage of a group"),
  missing: z.object({
    servers: z.array(z.string()).readonly().describe("Needed, but not in mcpServers"),
    roles: z.array(z.string()).readonly().describe("Needed, but there is no such role"),
  }),
});
export type WireTemplateSummary = z.infer<typeof templateSummaryShape>;

export const templateShape = templateSummaryShape.extend({
  values: z.array(valueShape).readonly(),
  needsHelp: words.nullable().describe("How to get what is missing"),
  workingDirectory: z.string().nullable(),
  priority: z.enum(TASK_PRIORITIES).nullable(),
  texts: z
    .array(z.object({ label: z.string(), role: z.string().nullable(), text: words }))
    .readonly()
    .describe("Every text of the template, with its placeholders"),
});
export type WireTemplate = z.infer<typeof templateShape>;
export type WireTemplateValue = z.infer<typeof valueShape>;

export const templateProblemShape = z.object({
  path: z.string(),
  line: z.number().nullable(),
  text: z.string(),
});

export const templateUsedShape = z.object({
  kind: z.enum(TEMPLATE_KINDS),
  task: taskShape.nullable(),
  group: groupShape.nullable(),
  agentIds: z.array(z.string()).describe("The agents of the group"),
  role: roleSavedShape
    .omit({ role: true })
    .extend({ roleId: z.string() })
    .nullable()
    .describe("The role that was added"),
});
