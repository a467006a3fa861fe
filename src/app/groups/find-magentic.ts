import type { Group, Magentic } from "../../domain/groups/group.ts";
import type { Queries } from "../ports/store.ts";

/** Orchestrators nest groups; a chain of parents longer than this is a loop. */
const MAX_DEPTH = 32;

export type MagenticGroup = Group & { readonly magentic: Magentic };

/** The group itself or the nearest group above it that is magentic. */
export async function findMagentic(
  queries: Pick<Queries, "getGroup">,
  group: Group,
): Promise<MagenticGroup | undefined> {
  let current: Group | undefined = group;
  for (let depth = 0; current && depth < MAX_DEPTH; depth++) {
    const { magentic } = current;
    if (magentic) return { ...current, magentic };
    current = current.parentGroupId ? await queries.getGroup(current.parentGroupId) : undefined;
  }
  return undefined;
}
