import { z } from "zod";
import { localeOf } from "../../../../app/locale-of.ts";
import { untrustedHint } from "../../../../app/people/untrusted.ts";
import { rehearsalNote } from "../../../../app/roles/rehearsal-only.ts";
import { roleSummaryShape } from "../../../../contract/shapes/role-summary.ts";
import { roleSummaries } from "../../../role-summaries.ts";
import { defineTool } from "../../define-tool.ts";

export const listRoles = defineTool({
  name: "list_roles",
  description: "The roles an agent can have, and what each is for.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(roleSummaryShape),
    note: z
      .string()
      .exactOptional()
      .describe("Why roles or tools are not as configured, and what a person can do"),
  }),
  async run({ core, identity }) {
    const locale = localeOf(core, identity);
    const notes = [await rehearsalNote(core, locale), untrustedHint(core, locale).trim()];
    const note = notes.filter(Boolean).join(" ");
    return { roles: await roleSummaries(core, locale), ...(note && { note }) };
  },
});
