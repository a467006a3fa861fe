import { z } from "zod";
import { LOCALES } from "../../domain/locale.ts";
import { approvalShape } from "./approvals.ts";
import { meShape } from "./people.ts";

const policy = approvalShape.shape.policy;

/** The configuration as the settings page shows it. Times are in ms; null: never. */
export const settingsShape = z.object({
  locale: z.enum(LOCALES).describe("Language of the product's texts"),
  configPath: z.string().nullable().describe("Path of the configuration file"),
  tasks: z.object({
    maxRegenerations: z.number(),
    holdFor_ms: z.number(),
    unplannedTools: z.enum(["ask", "allow", "refuse"]),
    approvals: z.object({
      prompt: policy,
      process: policy,
      step: policy,
      unplanned_tool: policy,
      call: policy,
      question: policy,
      outcome: policy,
    }),
    approvalExpiry_ms: z.number().nullable(),
    remindAfter_ms: z.number().nullable(),
  }),
  interrupt: z.object({ hardStopAfter_ms: z.number().nullable() }),
  people: z
    .array(meShape.omit({ signIn: true }))
    .describe("People who may sign in; none: sign-in is off"),
});
export type WireSettings = z.infer<typeof settingsShape>;

/** For the welcome page. */
export const welcomeShape = z.object({
  snippet: z.string().describe("Configuration for an MCP client"),
  url: z.string().nullable().describe("Address of this daemon"),
});
export type WireWelcome = z.infer<typeof welcomeShape>;
