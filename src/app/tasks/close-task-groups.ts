import type { Task } from "../../domain/tasks/task.ts";
import { type Core, LOCAL_USER } from "../core.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { descendantsOf } from "../groups/descendants-of.ts";

const PAGE = 200;

/**
 * Nothing will happen to the task any more: its groups leave the list of active ones, as those of
 * a main agent do when it deletes them, and so its history can go when its time has come.
 */
export async function closeTaskGroups(core: Core, { groupId }: Task): Promise<void> {
  const group = await core.store.getGroup(groupId);
  if (group?.status !== "active") return;
  for (const { id } of [group, ...(await descendantsOf(core, groupId))]) {
    // Its last agent is just ending; the end calls again.
    if ((await core.store.countUnsettled(id)) > 0) return;
  }
  await deleteGroup(core, LOCAL_USER, { groupId });
}

/** After a start: tasks that ended while nobody could close their groups. */
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
