import type { Core } from "../core.ts";

const AT_A_TIME = 500;

/**
 * Deletes the spool files of agents that are not in the database; returns the number of agents. An
 * empty database may have replaced one that was lost: then all files are kept, because they may
 * belong to running agents or to the agents of a backup.
 */
export async function sweepSpool(core: Core): Promise<number> {
  const spooled = await core.supervisor.listSpooled();
  if (spooled.length > 0 && !(await hasAgents(core))) {
    core.log.warn("The database has no agents, but the spool has files of some; they are kept.", {
      agents: spooled.length,
    });
    return 0;
  }
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

async function hasAgents({ store }: Core): Promise<boolean> {
  const inView = await store.listAgents({ limit: 1 });
  return inView.total > 0 || (await store.listHistory({ limit: 1 })).entries.length > 0;
}
