import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import type { Section, Sections } from "../../../live/sections.ts";

export const VIEWS = ["active", "attention", "all"] as const;
export type View = (typeof VIEWS)[number];

/** The page is one flat list, so that it can be virtualised. */
export type GroupRow =
  | {
      readonly kind: "head";
      readonly key: string;
      readonly groupId: string;
      readonly isOpen: boolean;
    }
  | { readonly kind: "lead"; readonly key: string; readonly groupId: string }
  | {
      readonly kind: "agents";
      readonly key: string;
      readonly groupId: string;
      readonly agentIds: readonly string[];
    }
  | { readonly kind: "foot"; readonly key: string; readonly groupId: string };

export type GroupEntry = {
  readonly groupId: string;
  readonly group: WireGroup | undefined;
  readonly section: Section | undefined;
};

/** Newest first, children right after their parent; agents of unknown groups last. */
export function orderGroups(
  groups: ReadonlyMap<string, WireGroup>,
  sections: Sections,
): readonly GroupEntry[] {
  const entry = (groupId: string): GroupEntry => ({
    groupId,
    group: groups.get(groupId),
    section: sections.get(groupId),
  });
  const children = new Map<string, string[]>();
  const roots: WireGroup[] = [];
  for (const group of groups.values()) {
    const { parentGroupId } = group;
    if (parentGroupId === undefined || !groups.has(parentGroupId)) roots.push(group);
    else children.set(parentGroupId, [...(children.get(parentGroupId) ?? []), group.groupId]);
  }
  roots.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const ordered: string[] = [];
  const add = (groupId: string) => {
    ordered.push(groupId);
    for (const child of children.get(groupId) ?? []) add(child);
  };
  for (const { groupId } of roots) add(groupId);
  const unsorted = [...sections.keys()].filter((groupId) => !groups.has(groupId));
  return [...ordered, ...unsorted].map(entry);
}

export function isInView(
  { section, group, groupId }: GroupEntry,
  view: View,
  waiting: ReadonlySet<string>,
): boolean {
  switch (view) {
    case "active":
      return (section?.live ?? 0) > 0 || (section === undefined && group?.status === "active");
    case "attention":
      return (section?.broken ?? 0) > 0 || waiting.has(groupId);
    case "all":
      return true;
  }
}

export type Unfolded = ReadonlyMap<string, boolean>;

/** Until a person toggles it, a group is open if agents of it are running or have failed. */
export function isUnfolded({ groupId, section }: GroupEntry, unfolded: Unfolded): boolean {
  return unfolded.get(groupId) ?? ((section?.live ?? 0) > 0 || (section?.broken ?? 0) > 0);
}

export function rowsOf(
  entries: readonly GroupEntry[],
  unfolded: Unfolded,
  columns: number,
): readonly GroupRow[] {
  return entries.flatMap((entry) => {
    const { groupId, group } = entry;
    const isOpen = isUnfolded(entry, unfolded);
    const head: GroupRow = { kind: "head", key: `${groupId} head`, groupId, isOpen };
    if (!isOpen) return [head];
    const hasLead = group?.stages !== undefined || group?.magentic !== undefined;
    return [
      head,
      ...(hasLead ? [{ kind: "lead" as const, key: `${groupId} lead`, groupId }] : []),
      ...agentRows(entry, columns),
      { kind: "foot" as const, key: `${groupId} foot`, groupId },
    ];
  });
}

function agentRows({ groupId, group, section }: GroupEntry, columns: number): readonly GroupRow[] {
  // The orchestrator is shown in the line above the agents.
  const ids = (section?.agentIds ?? []).filter((id) => id !== group?.orchestratorAgentId);
  const rows: GroupRow[] = [];
  for (let at = 0; at < ids.length; at += columns) {
    const agentIds = ids.slice(at, at + columns);
    rows.push({ kind: "agents", key: `${groupId} ${agentIds[0]}`, groupId, agentIds });
  }
  return rows;
}
