import type { Core, Identity } from "../core.ts";
import { visibleGroups } from "../groups/visible-groups.ts";
import type { AgentPage, AgentQuery } from "../ports/store.ts";

/** Agents the caller may see, newest first. A group it may not see looks empty, like an unknown one. */
export async function listAgents(
  core: Core,
  identity: Identity,
  query: Omit<AgentQuery, "groupIds">,
): Promise<AgentPage> {
  const groups = await visibleGroups(core, identity);
  if (groups === undefined) return core.store.listAgents(query);
  const { groupId, ...rest } = query;
  const groupIds = [...groups].filter((id) => groupId === undefined || id === groupId);
  return core.store.listAgents({ ...rest, groupIds });
}
