import type { Core } from "../core.ts";

/** Longer chains of groups do not exist; a loop in the rows must not hang the daemon. */
const MAX_DEPTH = 50;

/** The outermost group: groups of orchestrators are inside other groups. */
export async function rootGroupOf(
  { store }: Pick<Core, "store">,
  groupId: string,
): Promise<string> {
  let at = groupId;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const parent = (await store.getGroup(at))?.parentGroupId;
    if (!parent) return at;
    at = parent;
  }
  return at;
}
