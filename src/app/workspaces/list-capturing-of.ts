import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";

/** Agents of this server whose process is gone and whose change is not captured yet. */
export async function listCapturingOf(
  { store }: Pick<Core, "store">,
  serverId: string | null,
): Promise<readonly AgentId[]> {
  const ids = (await store.listCapturing()).map(({ agentId }) => agentId);
  if (serverId === null || ids.length === 0) return ids;
  const agents = await store.getAgents(ids);
  return agents.flatMap(({ id, workerId }) => (workerId === serverId ? [id] : []));
}
