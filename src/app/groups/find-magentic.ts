import type { Agent } from "../../domain/agents/agent.ts";
import type { Group, Magentic } from "../../domain/groups/group.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Identity } from "../core.ts";
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

/** An orchestrator may use only its own group and the groups below it. */
export async function requireOwnTree(
  queries: Pick<Queries, "getAgent">,
  identity: Identity,
  root: MagenticGroup | undefined,
  group: Group,
): Promise<void> {
  if (identity.kind !== "agent") return;
  const caller = await queries.getAgent(identity.agentId);
  if (caller && root?.id === caller.groupId) return;
  throw new Refusal(
    "NOT_ALLOWED",
    `Group ${group.id} does not belong to your task.`,
    "Create a group of your own with create_group and use its groupId.",
  );
}

/** An orchestrator may use only agents of its own groups, and not itself. */
export async function requireOwnAgent(
  queries: Pick<Queries, "getAgent" | "getGroup">,
  identity: Identity,
  agent: Agent,
): Promise<void> {
  if (identity.kind !== "agent") return;
  const group = await queries.getGroup(agent.groupId);
  if (!group) return;
  await requireOwnTree(queries, identity, await findMagentic(queries, group), group);
}
