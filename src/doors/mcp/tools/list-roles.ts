import { z } from "zod";
import { listRoles as list } from "../../../app/list-roles.ts";
import { defineTool } from "../define-tool.ts";

export const listRoles = defineTool({
  name: "list_roles",
  description: "The roles an agent can be started with, and what each is for.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        model: z.string(),
        runner: z.string(),
        available: z.boolean(),
        reason: z.string().optional().describe("Why it is not available"),
      }),
    ),
  }),
  async run({ core }) {
    const views = await list(core);
    return {
      roles: views.map(({ role, model, runner, available, reason }) => ({
        id: role.id,
        name: role.name,
        description: role.description,
        model,
        runner,
        available,
        ...(reason === null ? {} : { reason }),
      })),
    };
  },
});
