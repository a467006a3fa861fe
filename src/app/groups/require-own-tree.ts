import type { Agent } from "../../domain/agents/agent.ts";
import type { Group } from "../../domain/groups/group.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Identity } from "../core.ts";
import type { Queries } from "../ports/store.ts";
import { findMagentic, type MagenticGroup } from "./find-magentic.ts";

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
  throw new Refusal("NOT_ALLOWED", {
    en: [
      `Group ${group.id} does not belong to your task.`,
      "Create a group of your own with create_group and use its groupId.",
    ],
    ja: [
      `グループ ${group.id} は、あなたのタスクのものではありません。`,
      "create_group で自分のグループを作り、その groupId を使ってください。",
    ],
  });
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
