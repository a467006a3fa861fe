import type { Core } from "../core.ts";

/**
 * Whether these ids name something that exists. No id at all is a fixed place, such as a tool or a
 * route without parameters: there are only a few of those.
 */
export async function namesExisting(
  { store, roles }: Pick<Core, "store" | "roles">,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return true;
  for (const id of ids) {
    const isFound =
      roles.has(id) ||
      (await store.getApproval(id)) ||
      (await store.getTask(id)) ||
      (await store.getExecution(id)) ||
      (await store.getAgent(id)) ||
      (await store.getGroup(id));
    if (isFound) return true;
  }
  return false;
}
