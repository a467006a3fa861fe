import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";

const NEWEST = 200;
/** Against a circle in broken data. */
const DEEPEST = 20;

/** The task that a group or one of its ancestors belongs to. */
export function taskOf(
  group: Pick<WireGroup, "groupId" | "parentGroupId">,
  groups: ReadonlyMap<string, WireGroup>,
  tasks: ReadonlyMap<string, WireTask>,
): WireTask | undefined {
  let id: string | undefined = group.groupId;
  let { parentGroupId } = group;
  for (let depth = 0; id !== undefined && depth < DEEPEST; depth++) {
    const task = tasks.get(id);
    if (task) return task;
    id = parentGroupId;
    parentGroupId = id === undefined ? undefined : groups.get(id)?.parentGroupId;
  }
  return undefined;
}

/** Finds the task of a group among the newest tasks. */
export function useTaskOf(groups: readonly WireGroup[]) {
  const live = useLive((state) => state.tasks);
  const { data } = useQuery({
    queryKey: ["task", "of-groups"],
    queryFn: ({ signal }) => get("/api/tasks", { query: { limit: NEWEST }, signal }),
  });
  const tasks = useMemo(
    () => new Map([...(data?.tasks ?? []), ...live.values()].map((task) => [task.groupId, task])),
    [data, live],
  );
  const byId = useMemo(() => new Map(groups.map((group) => [group.groupId, group])), [groups]);
  return useCallback((group: WireGroup) => taskOf(group, byId, tasks), [byId, tasks]);
}
