import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import type { IsReadOnly } from "../gateway/recover-calls.ts";
import type { Beat, ServerDetails, Servers } from "../ports/servers.ts";
import type { Workers } from "../ports/workers.ts";
import { HostIsBack } from "./host-is-back.ts";
import { keepLeading } from "./keep-leading.ts";
import { killLost } from "./kill-lost.ts";
import type { LeaderTerm } from "./leadership.ts";
import type { SharedClock } from "./shared-clock.ts";
import { releaseTaken, takeOver } from "./take-over.ts";

export type KeepLease = {
  readonly servers: Servers;
  readonly workers: Workers | undefined;
  readonly details: () => ServerDetails | Promise<ServerDetails>;
  readonly isReadOnly: IsReadOnly;
  readonly leaseMs: number;
  readonly clock: Pick<SharedClock, "compare">;
  readonly term: LeaderTerm;
  readonly onLeads: () => void;
};

/** How long others wait for the next start of a server that was stopped on purpose. */
const RESTART_WITHIN_MS = 300_000;
const BEATS_PER_LEASE = 3;
/** After a beat that failed: a database that is there only now and then must not cost the lease. */
const RETRIES_PER_BEAT = 5;

/**
 * Enters this server among the others. What an earlier process of it left is adopted later; if its
 * lease had ended, its agents are lost, and this waits until one server has cleaned up.
 */
export async function joinServers(core: Core, options: KeepLease): Promise<void> {
  await join(core, options);
  await killLost(core, "start");
  await releaseTaken(core, options.servers.id);
}

async function join(core: Core, options: KeepLease): Promise<void> {
  const { servers, details, leaseMs } = options;
  while (!(await servers.join(await details()))) {
    await cleanUp(core, options);
    await new Promise((resolve) => setTimeout(resolve, leaseMs / BEATS_PER_LEASE));
  }
}

export type Lease = { stop(): Promise<void> };

/** Keeps the lease, leads while no other server does, and cleans up after servers that have died. */
export function keepLease(core: Core, options: KeepLease): Lease {
  const { servers, leaseMs } = options;
  const beatMs = leaseMs / BEATS_PER_LEASE;
  const outages = watchOutages(2 * beatMs);
  let isStopped = false;
  let failures = 0;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    try {
      const extended = await servers.beat();
      if (!extended) await rejoin();
      outages.answered(extended);
      // After an outage every lease is old; the others need time to extend theirs.
      if (extended && outages.quietMs() > leaseMs) {
        // Not by the time of these statements: the clock of the database may be set at any moment.
        await servers.endExpired(extended.at - leaseMs);
        await options.workers?.endExpired(extended.at - leaseMs);
      }
      await options.clock.compare();
      failures = 0;
      void clean();
    } catch (error) {
      outages.failed();
      // One line per beat, not per retry.
      if (failures++ % RETRIES_PER_BEAT > 0) return;
      report("The lease of this server could not be extended; trying again.", error);
    }
  }
  async function rejoin(): Promise<void> {
    core.log.error(
      "This server was not seen by the others for too long, and they took over. Its agents are ended.",
      { serverId: servers.id },
    );
    await join(core, options);
    await killLost(core, "running");
    core.dispatchSoon();
  }
  function report(message: string, error: unknown): void {
    core.log.warn(message, { error: String(error) });
  }
  // Beside the beats: cleaning up may take longer than the own lease.
  const clean = runCoalesced(async () => {
    if (isStopped) return;
    await cleanUp(core, options).catch((error: unknown) =>
      report("What a dead server left could not be cleaned up yet; trying again.", error),
    );
  });
  function beatIn(ms: number): void {
    timer = setTimeout(() => void (running = beat()), ms);
    timer.unref();
  }
  async function beat(): Promise<void> {
    const begun = performance.now();
    await round();
    if (isStopped) return;
    const everyMs = failures === 0 ? beatMs : beatMs / RETRIES_PER_BEAT;
    beatIn(Math.max(0, everyMs - (performance.now() - begun)));
  }
  beatIn(beatMs);
  const leading = keepLeading(core, options);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await leading.stop();
      await running;
      await clean();
      await servers.leave(RESTART_WITHIN_MS).catch(() => undefined);
      await servers.close();
    },
  };
}

/**
 * How long the lease was extended without a gap, by the clock of the database. After a gap (it was down
 * or slow, its clock was set, or this process was paused) the other servers may have had the same one,
 * so their old leases prove nothing.
 */
function watchOutages(maxGapMs: number) {
  let since: number | undefined;
  return {
    answered(beat: Beat | undefined): void {
      const isSteady = beat && beat.sinceLastMs >= 0 && beat.sinceLastMs <= maxGapMs;
      if (since === undefined || !isSteady) since = performance.now();
    },
    failed: (): void => void (since = undefined),
    quietMs: (): number => (since === undefined ? 0 : performance.now() - since),
  };
}

async function cleanUp(core: Core, { servers, workers, isReadOnly }: KeepLease): Promise<void> {
  for (;;) {
    const dead = await servers.claimEnded();
    if (dead === undefined) break;
    const lost = await whileEnded(core, "servers", dead, (fenced) =>
      takeOver(fenced, dead, isReadOnly),
    );
    await servers.forget(dead);
    core.log.warn("Another server is gone; its agents are lost.", { serverId: dead, ...lost });
  }
  for (;;) {
    const dead = await workers?.claimEnded();
    if (dead === undefined) return;
    const lost = await whileEnded(core, "workers", dead, (fenced) =>
      takeOver(fenced, dead, isReadOnly),
    );
    await workers?.forget(dead);
    core.log.warn("A worker is gone; its agents are lost.", { workerId: dead, ...lost });
  }
}

/** Another server may have cleaned up sooner: agents that the host runs by now are not lost. */
async function whileEnded<T>(
  core: Core,
  host: "servers" | "workers",
  id: string,
  work: (fenced: Core) => Promise<T>,
): Promise<T> {
  // What the work leaves behind, such as deadlines, is not part of it.
  let isOver = false;
  const transaction: Core["store"]["transaction"] = (act) =>
    core.store.transaction(async (unit) => {
      if (!isOver && !(await unit.holdEnd(host, id))) throw new HostIsBack(id);
      return act(unit);
    });
  try {
    return await work({ ...core, store: { ...core.store, transaction } });
  } finally {
    isOver = true;
  }
}
