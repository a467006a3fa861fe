import { z } from "zod";
import { roleSummaryShape } from "../../../contract/dashboard-shapes.ts";
import { roleSummaries } from "../../role-summaries.ts";
import { defineTool } from "../define-tool.ts";

export const listRoles = defineTool({
  name: "list_roles",
  description: "The roles an agent can be started with, and what each is for.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({}),
  output: z.object({ roles: z.array(roleSummaryShape) }),
  run: async ({ core }) => ({ roles: await roleSummaries(core) }),
});
