import { z } from "zod";
import {
  REPORTABLE_STATUSES,
  reportProgress as report,
} from "../../../../app/tasks/execution/report-progress.ts";
import { untilStored } from "../../../../app/until-stored.ts";
import { STEP_STATUSES } from "../../../../domain/tasks/execution.ts";
import { defineTool } from "../../define-tool.ts";

export const reportProgress = defineTool({
  name: "report_progress",
  description: "Name the step you work on, before you call its tool. People see it at once.",
  callers: ["executor", "agent"],
  hints: { readOnly: false, idempotent: true },
  input: z.strictObject({
    stepId: z.string().describe("Such as step-2"),
    status: z.enum(REPORTABLE_STATUSES).optional().describe("Left out: running"),
    message: z.string().max(10_000).optional(),
  }),
  output: z.object({ stepId: z.string(), status: z.enum(STEP_STATUSES) }),
  run(call, { stepId, status, message }) {
    const { core, identity } = call;
    const input = {
      stepId,
      ...(status && { status }),
      ...(message !== undefined && { message }),
    };
    return untilStored(core, "report_progress", call, () => report(core, identity, input));
  },
});
