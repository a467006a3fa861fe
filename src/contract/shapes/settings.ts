import { z } from "zod";
import { ALERT_KINDS } from "../../domain/alerts/alert.ts";
import { WEEKDAYS } from "../../domain/alerts/quiet-hours.ts";
import { LOCALES } from "../../domain/locale.ts";
import { MERGE_MODES } from "../../domain/merges/merge.ts";
import { ISOLATIONS } from "../../domain/workspaces/workspace.ts";
import { WORKSPACE_BASES } from "../config/defaults.ts";
import { DEMO_CHOICES } from "../demo.ts";
import { approvalShape } from "./approvals.ts";
import { meShape } from "./people.ts";

const policy = approvalShape.shape.policy;

/** The configuration as the settings page shows it. Times are in ms; null: never. */
export const settingsShape = z.object({
  locale: z.enum(LOCALES).describe("Language of what the daemon writes by itself"),
  chosenLocale: z
    .enum(LOCALES)
    .nullable()
    .describe("Language that the configuration names for everyone; null: each request decides"),
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
      merge: policy,
    }),
    approvalExpiry_ms: z.number().nullable(),
    remindAfter_ms: z.number().nullable(),
  }),
  workspace: z
    .object({
      isolation: z.enum(ISOLATIONS),
      base: z.enum(WORKSPACE_BASES),
      hasSetup: z.boolean().describe("A command prepares new worktrees"),
      hasCheck: z.boolean().describe("A command must succeed before a merge"),
      mergeMode: z.enum(MERGE_MODES),
      mergeTarget: z.string().nullable().describe("null: the branch the work began from"),
      maxTotal_mb: z.number().nullable().describe("null: no limit"),
      keepDecided_ms: z.number(),
      keepOpen_ms: z.number(),
      keepRefs_ms: z.number(),
    })
    .describe("Worktrees of agents; commands are not shown, because they may contain secrets"),
  interrupt: z.object({ hardStopAfter_ms: z.number().nullable() }),
  alerts: z
    .object({
      rules: z.array(
        z.object({
          on: z.array(z.enum(ALERT_KINDS)).readonly(),
          to: z.array(z.string()).readonly(),
          for: z.union([z.enum(["requester", "all"]), z.array(z.string()).readonly()]),
          quietHours: z.array(
            z.object({
              from: z.string(),
              to: z.string(),
              timeZone: z.string().nullable().describe("null: that of the daemon's machine"),
              days: z.array(z.enum(WEEKDAYS)).readonly(),
            }),
          ),
          digest_ms: z.number(),
          urgent: z.boolean(),
        }),
      ),
    })
    .describe("Rules for alerts; none: there are no alerts"),
  people: z
    .array(meShape.omit({ signIn: true }))
    .describe("People who may sign in; none: sign-in is off"),
});
export type WireSettings = z.infer<typeof settingsShape>;

/** For the welcome page. */
export const welcomeShape = z.object({
  snippet: z.string().describe("Configuration for an MCP client"),
  url: z.string().nullable().describe("Address of this daemon"),
  demo: z
    .enum(DEMO_CHOICES)
    .optional()
    .describe("This is the daemon of `kuromajutsu demo`: its story, or `choose`"),
});
export type WireWelcome = z.infer<typeof welcomeShape>;
