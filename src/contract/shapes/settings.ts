import { z } from "zod";
import { LOCALES } from "../../domain/locale.ts";
import { approvalShape } from "./approvals.ts";
import { meShape } from "./people.ts";

const policy = approvalShape.shape.policy;

/** What the configuration says, for people to read. Times are in ms; null: never. */
export const settingsShape = z.object({
  locale: z.enum(LOCALES).describe("Language of the texts that are ours"),
  configPath: z.string().nullable().describe("The file that says so"),
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
    .describe("Who may sign in; none: there is no sign-in"),
});
export type WireSettings = z.infer<typeof settingsShape>;

/** What the first page shows that nothing else does. */
export const welcomeShape = z.object({
  snippet: z.string().describe("What a person adds to an MCP client"),
  url: z.string().nullable().describe("Where this daemon answers"),
});
export type WireWelcome = z.infer<typeof welcomeShape>;
