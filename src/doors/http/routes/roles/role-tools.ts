import type { Core } from "../../../../app/core.ts";
import { listRoleTools } from "../../../../app/roles/list-role-tools.ts";
import * as contract from "../../../../contract/routes/roles.ts";
import { defineRoute } from "../../define-route.ts";

const list = defineRoute(contract.listRoleTools, {
  run: (core) => wire(core, false),
});

const check = defineRoute(contract.checkRoleTools, {
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
