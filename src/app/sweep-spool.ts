import type { Core } from "./core.ts";

const AT_A_TIME = 500;

/** Deletes spool files of agents nobody knows any more; answers how many agents that were. */
export async function sweepSpool(core: Core): Promise<number> {
  const spooled = await core.supervisor.listSpooled();
  let swept = 0;
  for (let at = 0; at < spooled.length; at += AT_A_TIME) {
    const ids = spooled.slice(at, at + AT_A_TIME);
    const known = new Set<string>((await core.store.getAgents(ids)).map((agent) => agent.id));
    const unknown = ids.filter((id) => !known.has(id));
    await core.supervisor.removeSpool(unknown);
    swept += unknown.length;
  }
  return swept;
}
