import type { GroupId } from "../../domain/ids.ts";
import type { Core, Identity } from "../core.ts";
import { descendantsOf } from "./descendants-of.ts";

/**
 * The groups whose agents a caller may read. An agent may read its own group and all below it;
 * other groups look as if they did not exist. undefined: a client may read all groups.
 */
export async function visibleGroups(
  core: Pick<Core, "store">,
  identity: Identity,
): Promise<ReadonlySet<GroupId> | undefined> {
  if (identity.kind !== "agent") return undefined;
  const own = await core.store.getAgent(identity.agentId);
  if (!own) return new Set();
  const below = await descendantsOf(core, own.groupId);
  return new Set([own.groupId, ...below.map(({ id }) => id)]);
}
