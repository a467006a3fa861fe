import { z } from "zod";

/** A role as lists show it. Apart from the editor's shapes, which load the configuration's schema. */
export const roleSummaryShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  model: z.string(),
  runner: z.string(),
  available: z.boolean(),
  reason: z.string().optional().describe("Why it is not available"),
  /** The CLI has not listed its models yet; agents of this role wait for it. */
  checking: z.boolean().optional(),
  note: z.string().optional().describe("Why its agents wait, or run with a fallback"),
});
export type WireRole = z.infer<typeof roleSummaryShape>;
