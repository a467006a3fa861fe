import { isStoreRefusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { Metrics, StoredMetrics } from "../ports/metrics.ts";
import type { UnsettledCount } from "../ports/store.ts";
import { viewServers } from "../servers/view-servers.ts";

/** However often monitors ask, the database is asked once in this time. */
const REUSE_MS = 1_000;

/** Returns a function that reads what monitors may know of this daemon. */
export function createMetricsReader(core: Core, dashboards: () => number): () => Promise<Metrics> {
  let last: { readonly at: number; readonly stored: Promise<StoredMetrics | null> } | undefined;
  return async () => {
    const now = core.clock.now();
    // Absolute, because the clock may have been set back since.
    if (last === undefined || Math.abs(now - last.at) >= REUSE_MS) {
      last = { at: now, stored: readStored(core) };
    }
    const stored = await last.stored;
    const { maxConcurrent, maxOrchestrators } = core.settings;
    return {
      version: core.version,
      stored,
      runners: [...core.runners.keys()],
      slots: { worker: maxConcurrent, orchestrator: maxOrchestrators },
      calls: { inFlight: core.calls.size(), held: core.calls.heldCount() },
      dashboards: dashboards(),
      isLeader: core.isLeader(),
      connections: core.store.connections?.() ?? null,
    };
  };
}

/** A monitor must see that the database is away, so this is an answer and not an error. */
async function readStored(core: Core): Promise<StoredMetrics | null> {
  try {
    return await queryStored(core);
  } catch (error) {
    if (isStoreRefusal(error)) return null;
    throw error;
  }
}

async function queryStored(core: Core): Promise<StoredMetrics> {
  const { store } = core;
  const now = core.clock.now();
  const ageOf = (createdAt: number | undefined) =>
    createdAt === undefined ? 0 : Math.max(0, now - createdAt);
  const agents = await store.countUnsettledByRunner();
  const approvals = await store.countPendingApprovals();
  const oldest = await store.listApprovals({ statuses: ["pending"], limit: 1 });
  return {
    agents,
    queueAgeMs: ageOf(oldestQueued(agents)),
    tasks: await store.countTasks(),
    approvals,
    approvalAgeMs: ageOf(oldest.approvals[0]?.createdAt),
    servers: Math.max(1, (await viewServers(core)).length),
    deadJobs: await core.jobs.countDead(),
  };
}

/** A held agent waits for an earlier stage, not for a slot. */
function oldestQueued(agents: readonly UnsettledCount[]): number | undefined {
  const times = agents
    .filter(({ process, held }) => process === "waiting" && !held)
    .map(({ oldestCreatedAt }) => oldestCreatedAt);
  return times.length === 0 ? undefined : Math.min(...times);
}
