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
  /** Its CLI has not named its models yet; an agent of it waits for that. */
  checking: z.boolean().optional(),
});
export type WireRole = z.infer<typeof roleSummaryShape>;
