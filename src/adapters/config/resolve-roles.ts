import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import type { Locale } from "../../domain/locale.ts";
import {
  type BuiltinRole,
  builtinRoles,
  DEFAULT_HEALTH_CHECK_PROMPT,
} from "../../domain/roles/builtin-roles.ts";
import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import { internalRoles, isInternalRole } from "../../domain/roles/internal-roles.ts";
import type { Role, RoleTool } from "../../domain/roles/role.ts";

type InLocale = Config & { readonly locale: Locale };

/**
 * The built-in roles in their order, changed by the file, then the new roles in the file's order.
 */
export function resolveRoles(config: InLocale): readonly Role[] {
  const builtins = builtinRoles(config.locale);
  const written = new Map(config.roles.map((role) => [role.id, role]));
  const own = config.roles.filter(
    ({ id }) => !isInternalRole(id) && !builtins.some((builtin) => builtin.id === id),
  );
  return [
    ...builtins.map((builtin) => ({
      builtin,
      role: written.get(builtin.id) ?? unchanged(builtin),
    })),
    ...own.map((role) => ({ builtin: undefined, role })),
  ]
    .filter(({ role }) => !role.disabled)
    .map(({ builtin, role }) => toRole(role, builtin, config));
}

/**
 * The roles that draft and execute tasks: changed by the file like the others, never listed. They work
 * where the person asked, not in worktrees.
 */
export function resolveInternalRoles(config: InLocale): readonly Role[] {
  const written = new Map(config.roles.map((role) => [role.id, role]));
  return internalRoles(config.locale).flatMap((internal) => {
    const role = written.get(internal.id) ?? unchanged(internal);
    if (role.disabled) return [];
    const { mcpServers = internal.mcpServers } = role;
    return [{ ...toRole(role, internal, config), mcpServers, isolation: "none" }];
  });
}

export function resolveTools(config: Config): readonly RoleTool[] {
  const builtins = BUILTIN_TOOLS.filter(({ id }) => !config.tools.some((tool) => tool.id === id));
  return [...builtins, ...config.tools];
}

function unchanged(builtin: BuiltinRole): RoleSettings {
  return { id: builtin.id, disabled: false };
}

function toRole(
  role: RoleSettings,
  builtin: BuiltinRole | undefined,
  { agent, workspace }: Config,
): Role {
  const isUsers = role.model !== undefined && role.model !== builtin?.model;
  return {
    id: role.id,
    name: role.name ?? builtin?.name ?? role.id,
    description: role.description ?? builtin?.description ?? "",
    systemPrompt: role.systemPrompt ?? builtin?.systemPrompt ?? "",
    healthCheckPrompt:
      role.healthCheckPrompt ?? builtin?.healthCheckPrompt ?? DEFAULT_HEALTH_CHECK_PROMPT,
    model: modelOf(role.model, builtin),
    modelFrom: isUsers ? "user" : "default",
    runner: role.runner ?? agent.runner,
    access: role.access ?? builtin?.access ?? "read-write",
    isolation: role.isolation ?? workspace.isolation,
    tools: role.tools ?? builtin?.tools ?? [],
    mcpServers: role.mcpServers ?? [],
    ...(role.labels !== undefined && role.labels.length > 0 && { labels: role.labels }),
    ...(role.onLost !== undefined && { onLost: role.onLost }),
  };
}

/** A map does not set the runners it omits; for Cursor the built-in model remains. */
function modelOf(written: RoleSettings["model"], builtin: BuiltinRole | undefined): Role["model"] {
  if (written === undefined) return builtin?.model ?? {};
  if (typeof written === "string" || builtin === undefined) return written;
  return { cursor: builtin.model, ...written };
}
