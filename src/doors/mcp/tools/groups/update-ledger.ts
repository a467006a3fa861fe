import { z } from "zod";
import { updateLedger as update } from "../../../../app/groups/update-ledger.ts";
import { defineTool } from "../../define-tool.ts";

const words = z.string().max(100_000);
const yesOrNo = z.strictObject({ answer: z.boolean(), reason: words });
const sentence = z.strictObject({ answer: words, reason: words });

export const updateLedger = defineTool({
  name: "update_ledger",
  description:
    "For orchestrators: record facts and plan (task) and, after every iteration, how far you are (progress). Answers with the iterations, the stalls and advice.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: true },
  input: z.strictObject({
    groupId: z.string().optional().describe("Orchestrators leave it out"),
    task: z
      .strictObject({
        factsGiven: words,
        factsToLookUp: words,
        factsToDerive: words,
        guesses: words,
        plan: words,
      })
      .optional(),
    progress: z
      .strictObject({
        requestSatisfied: yesOrNo,
        inLoop: yesOrNo,
        progressMade: yesOrNo,
        nextAction: sentence,
        instruction: sentence,
      })
      .optional(),
  }),
  output: z.object({
    updated: z.boolean(),
    iterations: z.number(),
    maxIterations: z.number(),
    stalls: z.number(),
    advice: z.string().optional(),
  }),
  async run({ core, identity }, { groupId, task, progress }) {
    const { magentic, advice } = await update(core, identity, {
      groupId: groupId ?? null,
      ledger: { ...(task && { task }), ...(progress && { progress }) },
    });
    return {
      updated: true,
      iterations: magentic.iterations,
      maxIterations: magentic.maxIterations,
      stalls: magentic.stalls,
      ...(advice === null ? {} : { advice }),
    };
  },
});
