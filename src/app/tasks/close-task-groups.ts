import type { Task } from "../../domain/tasks/task.ts";
import { type Core, LOCAL_USER } from "../core.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { descendantsOf } from "../groups/descendants-of.ts";

const PAGE = 200;

/**
 * Deletes the groups of a task that is over: they leave the list of active groups, and the purge of
 * old history can remove them.
 */
export async function closeTaskGroups(core: Core, { groupId }: Task): Promise<void> {
  const group = await core.store.getGroup(groupId);
  if (group?.status !== "active") return;
  for (const { id } of [group, ...(await descendantsOf(core, groupId))]) {
    // An agent is still running; its end calls this function again.
    if ((await core.store.countUnsettled(id)) > 0) return;
  }
  await deleteGroup(core, LOCAL_USER, { groupId });
}

/** The tasks of active groups: a daemon that died may have left groups of ended tasks open. */
export async function listTasksToClose(core: Pick<Core, "store">): Promise<readonly Task[]> {
  const found: Task[] = [];
  let cursor: string | null = null;
  do {
    const page = await core.store.listGroups({
      view: "active",
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    for (const group of page.groups) {
      const task = await core.store.getTaskOfGroup(group.id);
      if (task) found.push(task);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}
