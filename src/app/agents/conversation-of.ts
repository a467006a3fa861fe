import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { RunnerId, Usage } from "../../domain/agents/runner.ts";
import type { Queries } from "../ports/store.ts";

/** The conversation of an agent's CLI, for an agent that continues it. */
export type Conversation = {
  readonly sessionId: string;
  /** The tokens it has used so far; null if its CLI does not count per conversation. */
  readonly usage: Usage | null;
};

type Needed = Pick<Queries, "getProgress" | "listAgentsResuming">;

/**
 * null: there is none, another runner made it, or an agent is still using it. Two CLIs at the same
 * time would damage a conversation.
 */
export async function conversationOf(
  queries: Needed,
  agent: Agent,
  runner: RunnerId,
): Promise<Conversation | null> {
  if (agent.runner !== runner) return null;
  const { sessionId } = await queries.getProgress(agent.id);
  if (sessionId === null) return null;
  const users = [agent, ...(await queries.listAgentsResuming(runner, sessionId))];
  if (!users.every(isSettled)) return null;
  return { sessionId, usage: await usageOf(queries, users, sessionId) };
}

/** As the last of its agents reported it. */
async function usageOf(
  queries: Needed,
  users: readonly Agent[],
  session: string,
): Promise<Usage | null> {
  for (const { id } of users.toReversed()) {
    const { sessionId, sessionUsage, usageBefore } = await queries.getProgress(id);
    const usage = sessionUsage ?? usageBefore;
    if (sessionId === session && usage !== null) return usage;
  }
  return null;
}
