import type { Group } from "../../domain/groups/group.ts";
import type { GroupId } from "../../domain/ids.ts";
import type { Queries } from "../ports/store.ts";

/** All groups below a group, at any depth. */
export async function descendantsOf(
  core: { readonly store: Pick<Queries, "listChildGroups"> },
  groupId: GroupId,
): Promise<readonly Group[]> {
  const found = new Map<GroupId, Group>();
  const queue = [groupId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const child of await core.store.listChildGroups(id)) {
      if (found.has(child.id)) continue;
      found.set(child.id, child);
      queue.push(child.id);
    }
  }
  return [...found.values()];
}
