import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";

export type Group = {
  readonly groupId: string;
  readonly description: string;
  readonly entries: readonly WireHistoryEntry[];
  readonly counts: Readonly<Record<string, number>>;
};

export type Item =
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "entry"; readonly entry: WireHistoryEntry };

/** The rows of the list; a collapsed group has only its header. */
export function itemsOf(
  entries: readonly WireHistoryEntry[],
  view: "list" | "groups",
  folded: ReadonlySet<string>,
): readonly Item[] {
  if (view === "list") return entries.map((entry) => ({ kind: "entry", entry }));
  return groupEntries(entries).flatMap((group): readonly Item[] => [
    { kind: "group", group },
    ...(folded.has(group.groupId)
      ? []
      : group.entries.map((entry) => ({ kind: "entry" as const, entry }))),
  ]);
}

/** Groups in the order of their first entry. */
function groupEntries(entries: readonly WireHistoryEntry[]): readonly Group[] {
  const groups = Map.groupBy(entries, ({ groupId }) => groupId);
  return [...groups].map(([groupId, of]) => ({
    groupId,
    description: of[0]?.groupDescription ?? "",
    entries: of,
    counts: countBy(of),
  }));
}

function countBy(entries: readonly WireHistoryEntry[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
