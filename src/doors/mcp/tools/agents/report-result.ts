import { z } from "zod";
import { reportResult as report } from "../../../../app/agents/report-result.ts";
import { untilStored } from "../../../../app/until-stored.ts";
import { RESULT_STATUSES } from "../../../../domain/agents/result.ts";
import { defineTool } from "../../define-tool.ts";

const files = z.array(z.string().max(4_096)).max(1_000).optional();

export const reportResult = defineTool({
  name: "report_result",
  description: "Report the result of your task. Call it once, last, whether it succeeded or not.",
  callers: ["client", "orchestrator", "executor", "agent"],
  hints: { readOnly: false, idempotent: true },
  input: z.strictObject({
    agentId: z.string().describe("Your own Agent ID"),
    status: z.enum(RESULT_STATUSES),
    summary: z.string().max(1_000_000).describe("One or two sentences"),
    response: z
      .string()
      .max(8_000_000)
      .describe("What was done, outcome, why, cautions, hand-over"),
    editedFiles: files,
    createdFiles: files,
    errorMessage: z.string().max(100_000).optional().describe("On failure"),
  }),
  output: z.object({ registered: z.boolean(), agentId: z.string() }),
  async run(call, args) {
    const { core, identity } = call;
    const input = {
      agentId: args.agentId,
      report: {
        status: args.status,
        summary: args.summary,
        response: args.response,
        editedFiles: args.editedFiles ?? [],
        createdFiles: args.createdFiles ?? [],
        errorMessage: args.errorMessage ?? null,
      },
    };
    const agentId = await untilStored(core, "report_result", call, () =>
      report(core, identity, input),
    );
    return { registered: true, agentId };
  },
});
