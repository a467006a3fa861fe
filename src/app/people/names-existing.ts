import type { Core } from "../core.ts";

/**
 * Whether at least one of these ids exists. Without ids the attempt was at a tool or a route without
 * parameters, of which there are only a few.
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
