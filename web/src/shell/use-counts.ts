import { useShallow } from "zustand/react/shallow";
import { useLive } from "../live/store.ts";

const OVER: ReadonlySet<string> = new Set(["completed", "cancelled"]);

/** Counts in the navigation; renders only when one of them changes. */
export function useCounts() {
  return useLive(
    useShallow(({ approvals, pendingApprovals, tasks, groups, roles }) => ({
      approvals: Math.max(approvals.size, pendingApprovals),
      tasks: countWhere(tasks, ({ status }) => !OVER.has(status)),
      groups: countWhere(groups, ({ status }) => status === "active"),
      roles: roles.length,
    })),
  );
}

function countWhere<Item>(items: ReadonlyMap<string, Item>, is: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items.values()) if (is(item)) count++;
  return count;
}
