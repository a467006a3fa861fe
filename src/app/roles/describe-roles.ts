import type { RoleDetails } from "../../contract/shapes/roles.ts";
import { BUILTIN_ROLE_IDS } from "../../domain/roles/builtin-roles.ts";
import { englishIfOther } from "../../domain/roles/role-texts.ts";
import type { Core } from "../core.ts";
import { listRoles, type RoleView } from "./list-roles.ts";

/** Every role with all its fields, for the person who edits them. */
export async function describeRoles(core: Core): Promise<RoleDetails[]> {
  return (await listRoles(core)).map(details);
}

function details({ role, model, runner, available, reason }: RoleView): RoleDetails {
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    ...englishIfOther(role),
    systemPrompt: role.systemPrompt,
    healthCheckPrompt: role.healthCheckPrompt,
    model: role.model,
    modelFrom: role.modelFrom,
    runner: role.runner,
    access: role.access,
    isolation: role.isolation,
    tools: [...role.tools],
    mcpServers: [...role.mcpServers],
    builtin: BUILTIN_ROLE_IDS.includes(role.id),
    modelInUse: model,
    runnerInUse: runner,
    available,
    reason,
  };
}
