import { useShallow } from "zustand/react/shallow";
import { useMayOperate } from "../api/use-me.ts";
import { useWaitsForMe } from "../features/approvals/may-decide.ts";
import { useLive } from "../live/store.ts";

const OVER: ReadonlySet<string> = new Set(["completed", "cancelled"]);

/** Counts in the navigation; renders only when one of them changes. */
export function useCounts() {
  const waitsForMe = useWaitsForMe();
  const mayOperate = useMayOperate();
  return useLive(
    useShallow(({ approvals, pendingApprovals, tasks, groups, roles }) => ({
      // The dashboard does not know the policies of approvals that are not loaded; it counts them all.
      approvals:
        countWhere(approvals, waitsForMe) +
        (mayOperate ? Math.max(0, pendingApprovals - approvals.size) : 0),
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
