import { z } from "zod";
import { AGENT_STATUSES } from "../../domain/agents/agent.ts";
import { resultShape, usageShape } from "./agents.ts";

/** `cost` is null, with a reason, if it is unknown: a partial sum must not look complete. */
export const costFields = {
  cost: z.number().nullable(),
  currency: z.string().describe("USD if the CLI reported the cost, else that of the price list"),
  reason: z.enum(["no price", "no usage"]).nullable().describe("Why cost is null"),
};

/** Without `response`: a page of responses could have hundreds of megabytes. */
export const historyEntryShape = resultShape
  .omit({ response: true, status: true, timestamp: true })
  .extend({
    groupDescription: z.string(),
    runner: z.string(),
    status: z.enum(AGENT_STATUSES),
    result: resultShape.shape.status.describe("What the agent reported, or what was observed"),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
  });
export type WireHistoryEntry = z.infer<typeof historyEntryShape>;

export const usageRowShape = usageShape.extend(costFields).extend({
  day: z.string(),
  runner: z.string(),
  model: z.string(),
  role: z.string(),
  reportedModel: z.string().nullish().describe("The model as the CLI names it"),
  costUsd: z.number().nullish().describe("The part of the cost that the CLI reported"),
  agents: z.number(),
});
export type WireUsageRow = z.infer<typeof usageRowShape>;
