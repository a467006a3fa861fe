import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { agentNotFound } from "../agents/require-agent.ts";
import type { Core, Identity } from "../core.ts";
import { requireGroup } from "../groups/require-group.ts";
import { visibleGroups } from "../groups/visible-groups.ts";
import { requireWorkspace } from "../workspaces/require-workspace.ts";

const MAX_CHANGES = 200;

export type ListChanges = {
  readonly agentId?: string | undefined;
  readonly groupId?: string | undefined;
};

/** The workspaces that a caller may see: of one agent, or of a group, oldest first. */
export async function listChanges(
  core: Core,
  identity: Identity,
  { agentId, groupId }: ListChanges,
): Promise<readonly Workspace[]> {
  const groups = await visibleGroups(core, identity);
  const isVisible = ({ groupId: of }: Workspace) => groups?.has(of) !== false;
  if (agentId !== undefined && groupId === undefined) {
    const workspace = await requireWorkspace(core.store, agentId);
    if (!isVisible(workspace)) throw agentNotFound(agentId);
    return [workspace];
  }
  if (groupId === undefined || agentId !== undefined) throw oneOfBoth();
  const group = await requireGroup(core.store, groupId);
  const page = await core.store.listWorkspaces({ groupId: group.id, limit: MAX_CHANGES });
  return page.workspaces.filter(isVisible).toReversed();
}

/** The agents whose changes cannot be merged with these. */
export async function conflictsOf(
  core: Core,
  workspaces: readonly Workspace[],
): Promise<ReadonlyMap<string, readonly AgentId[]>> {
  const overlaps = await core.store.listOverlapsOf(workspaces.map(({ id }) => id));
  const conflicts = overlaps.filter(({ level }) => level === "conflict");
  const ids = [...new Set(conflicts.flatMap(({ a, b }) => [a, b]))];
  const found = ids.length === 0 ? [] : await core.store.getWorkspaces(ids);
  const agents = new Map(found.map(({ id, agentId }) => [id, agentId]));
  return new Map(
    workspaces.map(({ id }) => [
      id,
      conflicts.flatMap(({ a, b }) => {
        if (a !== id && b !== id) return [];
        return agents.get(a === id ? b : a) ?? [];
      }),
    ]),
  );
}

function oneOfBoth(): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: ["get_changes takes either agentId or groupId.", "Give one of them."],
    ja: [
      "get_changes には agentId か groupId のどちらかを指定します。",
      "どちらか一方を指定してください。",
    ],
  });
}
