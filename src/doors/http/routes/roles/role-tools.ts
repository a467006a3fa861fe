import { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { listRoleTools } from "../../../../app/roles/list-role-tools.ts";
import { roleToolShape } from "../../../../contract/roles.ts";
import { defineRoute } from "../../define-route.ts";
import { NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

const shared = {
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({ tools: z.array(roleToolShape) }),
};

const list = defineRoute({
  ...shared,
  method: "get",
  path: "/api/role-tools",
  summary: "The role tools there are",
  run: (core) => wire(core, false),
});

/** A command is run, so this is no GET: another site's page can make a browser send those. */
const check = defineRoute({
  ...shared,
  method: "post",
  path: "/api/role-tools/check",
  summary: "Run the check command of every role tool",
  run: (core) => wire(core, true),
});

export const ROLE_TOOL_ROUTES = [list, check];

async function wire(core: Core, checked: boolean) {
  const views = await listRoleTools(core, { check: checked });
  return {
    tools: views.map(({ tool, builtin, usedBy, outcome }) => ({
      id: tool.id,
      name: tool.name,
      description: tool.description,
      promptInstructions: tool.promptInstructions,
      builtin,
      check: tool.check ? [...tool.check] : null,
      usedBy: [...usedBy],
      installed: outcome?.ok ?? null,
      detail: outcome?.detail ?? null,
    })),
  };
}
