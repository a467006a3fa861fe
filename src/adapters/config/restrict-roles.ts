import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import { BUILTIN_ROLE_IDS } from "../../domain/roles/builtin-roles.ts";
import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import { isInternalRole } from "../../domain/roles/internal-roles.ts";

export function isBuiltinRole(id: string): boolean {
  return BUILTIN_ROLE_IDS.includes(id) || isInternalRole(id);
}

/**
 * A role that is not trusted: a built-in role keeps only the restrictions of the file, without its
 * texts and permissions. A new role is left out.
 */
export function restrictRole(role: RoleSettings): readonly RoleSettings[] {
  const { id, disabled, model, runner, access, isolation, mcpServers, labels, onLost } = role;
  if (!isBuiltinRole(id)) return [];
  return [
    {
      id,
      disabled,
      ...(model !== undefined && { model }),
      ...(runner !== undefined && { runner }),
      ...(access === "read-only" && { access }),
      ...(isolation === "worktree" && { isolation }),
      ...(labels !== undefined && { labels }),
      ...(onLost === "report" && { onLost }),
      // Without a list the executor may use every server; an untrusted list allows none.
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
