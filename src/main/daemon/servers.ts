import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { serverIdOf } from "../../adapters/store/server-id.ts";
import type { SpoolShipper } from "../../adapters/supervisor/spool/ship-spool.ts";
import type { StartableUpstream } from "../../adapters/upstream-mcp/upstream.ts";
import { systemClock, systemRandom } from "../../adapters/world.ts";
import type { Core } from "../../app/core.ts";
import { carryOutCalls } from "../../app/gateway/carry-out-calls.ts";
import type { IsReadOnly } from "../../app/gateway/recover-calls.ts";
import type { ServerDetails, Servers } from "../../app/ports/servers.ts";
import type { SharedState } from "../../app/ports/shared-state.ts";
import type { Transcripts } from "../../app/ports/transcripts.ts";
import type { Placement } from "../../app/ports/upstream.ts";
import type { Workers } from "../../app/ports/workers.ts";
import type { Log } from "../../app/ports/world.ts";
import { followOthers } from "../../app/servers/follow-others.ts";
import { joinServers, keepLease, type KeepLease } from "../../app/servers/keep-lease.ts";
import { ALWAYS_LEADS, createLeaderTerm, type LeaderTerm } from "../../app/servers/leadership.ts";
import { createSharedClock, type SharedClock } from "../../app/servers/shared-clock.ts";
import { answerOthers } from "../../app/workers/find-directory.ts";
import { modelsForRow } from "../../app/workers/known-servers.ts";
import { VERSION } from "../version.ts";
import type { Composed } from "./compose.ts";
import { spoolIn } from "./open-supervisor.ts";

const DESCRIBE_EVERY_MS = 1_000;

export async function openServersOf(loaded: LoadedConfig, log: Log): Promise<OpenedServers> {
  const { config, dataDir } = loaded;
  const { url } = config.store;
  if (url === undefined) return ALONE;
  const { openServers } = await import("../../adapters/store/postgres/servers.ts");
  const { openSharedState } = await import("../../adapters/store/postgres/shared-state.ts");
  const id = serverIdOf(dataDir, (bytes) => systemRandom.hex(bytes));
  const servers = openServers({ url, id, leaseMs: config.store.lease_ms, log });
  // Before anything is decided by the time.
  const sharedClock = await createSharedClock({
    host: systemClock,
    ask: () => servers.now(),
    log,
  });
  const shared = openSharedState({ url, log });
  const { transcripts, shipper } = await openTranscriptsOf(loaded, url, log);
  const { openWorkers } = await import("../../adapters/store/postgres/workers.ts");
  const workers = openWorkers({ url, log });
  const term = createLeaderTerm(systemClock);
  return { servers, shared, workers, transcripts, shipper, term, sharedClock };
}

/** Where other servers read the output of agents, and what sends it there. */
async function openTranscriptsOf(loaded: LoadedConfig, url: string, log: Log) {
  const { openTranscripts } = await import("../../adapters/store/postgres/transcripts.ts");
  const { createSpoolShipper } = await import("../../adapters/supervisor/spool/ship-spool.ts");
  const transcripts = openTranscripts({ url, log });
  const shipper = createSpoolShipper({
    spoolDir: spoolIn(loaded),
    sink: (chunks) => transcripts.put(chunks),
    acknowledged: (attempts) => transcripts.acknowledged(attempts),
    log,
  });
  return { transcripts, shipper };
}

/** Stores what an earlier process of this server could not store any more. */
export async function resumeShipping({ core, shipper }: Composed): Promise<void> {
  try {
    await shipper?.resume();
  } catch (error) {
    core.log.error("Transcripts of an earlier daemon could not be found.", {
      error: String(error),
    });
  }
}

/** Adds upstream servers with one copy for all servers, where there can be several. */
export async function openPlacedUpstream(
  { config, dataDir }: LoadedConfig,
  local: StartableUpstream,
  log: Log,
): Promise<{ readonly upstream: StartableUpstream; readonly placement?: Placement }> {
  const { url } = config.store;
  if (url === undefined) return { upstream: local };
  const { openUpstreamOwners } = await import("../../adapters/store/postgres/upstream-owners.ts");
  const { placeUpstream } = await import("../../adapters/upstream-mcp/place-upstream.ts");
  const serverId = serverIdOf(dataDir, (bytes) => systemRandom.hex(bytes));
  const owners = openUpstreamOwners({ url, id: serverId, log });
  const placed = placeUpstream({ local, owners, serverId, servers: config.mcpServers, log });
  return { upstream: placed, placement: placed.placement };
}

/** All are undefined if no other server can use the database of this daemon. */
export type OpenedServers = {
  readonly servers: Servers | undefined;
  readonly shared: SharedState | undefined;
  readonly workers: Workers | undefined;
  readonly transcripts: Transcripts | undefined;
  readonly shipper: SpoolShipper | undefined;
  readonly term: LeaderTerm | undefined;
  readonly sharedClock: SharedClock | undefined;
};

const ALONE = {
  servers: undefined,
  shared: undefined,
  workers: undefined,
  transcripts: undefined,
  shipper: undefined,
  term: undefined,
  sharedClock: undefined,
} as const;

/** What use cases and doors see of the servers. */
export function serversInCore({
  servers,
  shared,
  workers,
  transcripts,
  term,
}: OpenedServers): Pick<
  Core,
  "serverId" | "isLeader" | "servers" | "shared" | "workers" | "transcripts"
> {
  return {
    serverId: servers?.id ?? null,
    isLeader: () => (term ?? ALWAYS_LEADS).isLeader(),
    ...(servers && { servers }),
    ...(shared && { shared }),
    ...(workers && { workers }),
    ...(transcripts && { transcripts }),
  };
}

export type AmongServers = {
  readonly composed: Composed;
  readonly loaded: LoadedConfig;
  readonly url: () => string | null;
};

/**
 * Enters this server among those that share its database; resolves when agents and calls that others
 * have given up are settled. Returns the function that leaves them.
 */
export async function enterServers(options: AmongServers): Promise<() => Promise<void>> {
  const { composed, loaded, url } = options;
  const { core, servers, term, sharedClock } = composed;
  if (!servers || !term || !sharedClock) return async () => undefined;
  const details = (): ServerDetails => ({
    host: hostname(),
    pid: process.pid,
    version: VERSION,
    url: url(),
    configHash: hashOfShared(composed.config()),
    slots: core.offer?.slots() ?? null,
    labels: core.offer?.labels() ?? [],
    models: modelsForRow(core),
    clockAheadMs: sharedClock.wrongMs(),
  });
  const keep: KeepLease = {
    servers,
    workers: core.workers,
    details,
    isReadOnly: readOnlyTools(loaded),
    leaseMs: loaded.config.store.lease_ms,
    clock: sharedClock,
    term,
    // The merge queue of the last leader goes on here.
    onLeads: () => core.mergeSoon(),
  };
  await joinServers(core, keep);
  const lease = keepLease(core, keep);
  const following = followOthers(core);
  const carrying = carryOutCalls(core);
  const answering = answerOthers(core);
  const describing = keepDescribed(servers, details);
  return async () => {
    core.calls.noteStopping();
    following.stop();
    carrying.stop();
    answering.stop();
    describing.stop();
    await lease.stop();
  };
}

/**
 * The address is known after the doors are open, models after their CLIs were asked, and a reload
 * changes the configuration.
 */
function keepDescribed(servers: Servers, details: () => ServerDetails): { stop(): void } {
  let last = "";
  const timer = setInterval(() => {
    const now = JSON.stringify(details());
    if (now === last) return;
    last = now;
    servers.describe(details()).catch(() => (last = ""));
  }, DESCRIBE_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Settings of one host, such as its address and its files, may differ. */
function hashOfShared(config: LoadedConfig["config"]): string {
  const { server: _server, dashboard: _dashboard, log: _log, store, ...rest } = config;
  // Servers end the leases of each other.
  const shared = { ...rest, lease_ms: store.lease_ms };
  return createHash("sha256").update(JSON.stringify(shared)).digest("hex").slice(0, 12);
}

/** By the configuration, because the upstream servers may not be connected yet. */
export function readOnlyTools({ config }: LoadedConfig): IsReadOnly {
  return ({ server, tool }) => config.mcpServers[server]?.tools[tool]?.readOnly === true;
}
