import type { RoleFields } from "../../contract/shapes/roles.ts";
import { DEFAULT_HEALTH_CHECK_PROMPT } from "../../domain/roles/builtin-roles.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { createRole } from "./create-role.ts";
import { requireRole } from "./require-role.ts";
import type { RolesSaved, SaveOptions } from "./save-roles.ts";

export type DuplicateRole = SaveOptions & {
  readonly id: string;
  readonly newId: string;
  readonly name: string | null;
};

/** Creates a role as a copy of another one. */
export async function duplicateRole(core: Core, input: DuplicateRole): Promise<RolesSaved> {
  const role = requireRole(core, input.id);
  const fields = { ...fieldsOf(role, core), name: input.name ?? `${role.name} (copy)` };
  return createRole(core, { ...input, id: input.newId, fields });
}

/** Omits fields that equal the defaults of a new role, to keep the entry short. */
function fieldsOf(role: Role, core: Core): RoleFields {
  return {
    description: role.description,
    model: modelOf(role),
    ...(String(role.runner) === String(core.settings.runner) ? {} : { runner: role.runner }),
    ...(role.access === "read-write" ? {} : { access: role.access }),
    ...(role.isolation === core.settings.workspace.isolation ? {} : { isolation: role.isolation }),
    systemPrompt: role.systemPrompt,
    ...(role.healthCheckPrompt === DEFAULT_HEALTH_CHECK_PROMPT
      ? {}
      : { healthCheckPrompt: role.healthCheckPrompt }),
    ...(role.tools.length === 0 ? {} : { tools: [...role.tools] }),
    ...(role.mcpServers.length === 0 ? {} : { mcpServers: [...role.mcpServers] }),
    ...(role.labels === undefined ? {} : { labels: [...role.labels] }),
    ...(role.onLost === undefined ? {} : { onLost: role.onLost }),
  };
}

/** The model of a built-in role is a Cursor name: the copy must not force it on other runners. */
function modelOf({ model, modelFrom }: Role): NonNullable<RoleFields["model"]> {
  return typeof model === "string" && modelFrom === "default" ? { cursor: model } : model;
}
