import type { GroupId } from "../../domain/ids.ts";
import type { Core, Identity } from "../core.ts";
import { descendantsOf } from "./descendants-of.ts";

/**
 * The groups whose agents a caller may read: of an agent its own group and all below it. undefined:
 * all of them, for a client. What is outside does not exist for the caller.
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
