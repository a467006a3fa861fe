import { z } from "zod";
import { untrustedHint } from "../../../app/untrusted.ts";
import { roleSummaryShape } from "../../../contract/dashboard-shapes.ts";
import { roleSummaries } from "../../role-summaries.ts";
import { defineTool } from "../define-tool.ts";

export const listRoles = defineTool({
  name: "list_roles",
  description: "The roles an agent can be started with, and what each is for.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(roleSummaryShape),
    note: z
      .string()
      .exactOptional()
      .describe("Roles and tools of the configuration that are not used, and what a person can do"),
  }),
  async run({ core }) {
    const note = untrustedHint(core).trim();
    return { roles: await roleSummaries(core), ...(note && { note }) };
  },
});
