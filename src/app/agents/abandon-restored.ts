import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { settleLost } from "./settle-lost.ts";
import { settleUnstarted } from "./settle-unstarted.ts";

const PAGE = 200;

const NOT_STARTED =
  "Not started: it was waiting when the backup was made from which this data was restored.";

export type RestoredFrom = {
  /** When the backup was made. */
  readonly createdAt: string;
  /** By which version; absent: a dump of PostgreSQL does not say it. */
  readonly version?: string;
};

/** `all`: also the agents of other servers and of workers, which the backup shows as running. */
export type RestoredHosts = "own" | "all";

/**
 * After a restore: the agents of a backup run no longer, run under another daemon, or have ended
 * since. Running ones become lost; waiting ones are cancelled, because their work may have been done
 * after the backup. Safe to repeat after a crash.
 */
export async function abandonRestored(
  core: Core,
  from: RestoredFrom,
  hosts: RestoredHosts,
): Promise<void> {
  await cancelQueued(core);
  // Agents that were moved from SQLite belong to no server yet.
  const live = (await core.store.listLiveAgents()).filter(
    ({ workerId }) => hosts === "all" || workerId === null || workerId === core.serverId,
  );
  for (const agent of live) {
    const { id: agentId, attempt } = agent;
    const gone = { type: "ended", exitCode: null, stderrTail: "", survivors: [] } as const;
    await settleLost(core, agent, (progress) => [{ ...gone, agentId, attempt, progress }]);
  }
  // The end of an agent may have queued it, or others, again.
  await cancelQueued(core);
  await auditRestore(core, from);
}

async function cancelQueued(core: Core): Promise<void> {
  for (;;) {
    const { agents } = await core.store.listAgents({ statuses: ["queued"], limit: PAGE });
    if (agents.length === 0) return;
    await cancelAll(
      core,
      agents.map(({ agent }) => agent.id),
    );
  }
}

async function cancelAll(core: Core, ids: readonly AgentId[]): Promise<void> {
  await core.store.transaction(async (unit) => {
    for (const id of ids) await settleUnstarted(core, unit, id, "cancelled", NOT_STARTED);
  });
}

/** Once per restore: a restored database has no entry of its own restore. */
async function auditRestore(core: Core, from: RestoredFrom): Promise<void> {
  const { entries } = await core.store.listAudit({ subject: "backup", limit: 1 });
  if (entries[0]?.data["createdAt"] === from.createdAt) return;
  await core.store.transaction((unit) =>
    recordAudit(core, unit, {
      actor: "system",
      action: "data.restored",
      subject: "backup",
      data: from,
    }),
  );
}
