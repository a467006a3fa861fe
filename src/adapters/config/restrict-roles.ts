import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import { BUILTIN_ROLE_IDS } from "../../domain/roles/builtin-roles.ts";
import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import { isInternalRole } from "../../domain/roles/internal-roles.ts";

export function isBuiltinRole(id: string): boolean {
  return BUILTIN_ROLE_IDS.includes(id) || isInternalRole(id);
}

/**
 * What is left of a role that is not trusted: a built-in role without the texts and permissions of
 * the file, but with its restrictions. A role of the file's own is not there at all.
 */
export function restrictRole(role: RoleSettings): readonly RoleSettings[] {
  const { id, disabled, model, runner, access, mcpServers } = role;
  if (!isBuiltinRole(id)) return [];
  return [
    {
      id,
      disabled,
      ...(model !== undefined && { model }),
      ...(runner !== undefined && { runner }),
      ...(access === "read-only" && { access }),
      // Without a list the executor may use every server; a list that is not trusted gives none.
      ...(id === "executor" && mcpServers !== undefined && { mcpServers: [] }),
    },
  ];
}

/** A role may name a tool that is not trusted. */
export function withKnownTools(role: RoleSettings, tools: Config["tools"]): RoleSettings {
  if (role.tools === undefined) return role;
  const known = new Set([...BUILTIN_TOOLS, ...tools].map(({ id }) => id));
  return { ...role, tools: role.tools.filter((id) => known.has(id)) };
}
