import { z } from "zod";

/** null says why there is no figure: a sum must not look complete when it is not. */
export const costFields = {
  cost: z.number().nullable(),
  currency: z.string(),
  reason: z.enum(["no price", "no usage"]).nullable().describe("Why cost is null"),
};
