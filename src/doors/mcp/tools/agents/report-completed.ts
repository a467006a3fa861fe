import { z } from "zod";
import { reportCompleted as report } from "../../../../app/agents/report-completed.ts";
import { untilStored } from "../../../../app/until-stored.ts";
import { VERDICTS, EXECUTION_STATUSES } from "../../../../domain/tasks/execution.ts";
import { defineTool } from "../../define-tool.ts";

export const reportCompleted = defineTool({
  name: "report_completed",
  description:
    "Say that you are done, that you stop (blocked, cancelled) or that you wait for a person (waiting). Then end.",
  callers: ["client", "orchestrator", "executor", "agent"],
  hints: { readOnly: false, idempotent: true },
  input: z.strictObject({
    result: z.enum(VERDICTS),
    summary: z.string().max(1_000_000).optional().describe("One or two sentences"),
    response: z.string().max(8_000_000).optional().describe("What was done, what was not, why"),
    agentId: z.string().optional().describe("Your Agent ID if you have no token"),
  }),
  output: z.object({
    registered: z.boolean(),
    agentId: z.string(),
    executionStatus: z.enum(EXECUTION_STATUSES).optional(),
  }),
  async run(call, { result, summary, response, agentId }) {
    const { core, identity } = call;
    const input = {
      result,
      ...(summary !== undefined && { summary }),
      ...(response !== undefined && { response }),
      ...(agentId !== undefined && { agentId }),
    };
    const reported = await untilStored(core, "report_completed", call, () =>
      report(core, identity, input),
    );
    const { execution } = reported;
    return {
      registered: true,
      agentId: reported.agentId,
      ...(execution && { executionStatus: execution.status }),
    };
  },
});
