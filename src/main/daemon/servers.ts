import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { serverIdOf } from "../../adapters/store/server-id.ts";
import { systemRandom } from "../../adapters/world.ts";
import type { Core } from "../../app/core.ts";
import type { IsReadOnly } from "../../app/gateway/recover-calls.ts";
import type { ServerDetails, Servers } from "../../app/ports/servers.ts";
import type { SharedState } from "../../app/ports/shared-state.ts";
import type { Log } from "../../app/ports/world.ts";
import { followOthers } from "../../app/servers/follow-others.ts";
import { joinServers, keepLease, type KeepLease } from "../../app/servers/keep-lease.ts";
import { VERSION } from "../version.ts";
import type { Composed } from "./compose.ts";

const DESCRIBE_EVERY_MS = 1_000;

export type Leadership = ReturnType<typeof createLeadership>;

/** A server that has its database for itself always leads. */
function createLeadership(servers: Servers | undefined) {
  let isLeader = servers === undefined;
  return {
    isLeader: () => isLeader,
    set: (leads: boolean): void => void (isLeader = leads),
  };
}

/** `servers` and `shared` are undefined if no other server can use the database of this daemon. */
export async function openServersOf(
  { config, dataDir }: LoadedConfig,
  log: Log,
): Promise<OpenedServers> {
  const { url } = config.store;
  if (url === undefined) {
    return { servers: undefined, shared: undefined, leadership: createLeadership(undefined) };
  }
  const { openServers } = await import("../../adapters/store/postgres/servers.ts");
  const { openSharedState } = await import("../../adapters/store/postgres/shared-state.ts");
  const id = serverIdOf(dataDir, (bytes) => systemRandom.hex(bytes));
  const servers = openServers({ url, id, log });
  const shared = openSharedState({ url, log });
  return { servers, shared, leadership: createLeadership(servers) };
}

export type OpenedServers = {
  readonly servers: Servers | undefined;
  readonly shared: SharedState | undefined;
  readonly leadership: Leadership;
};

/** What use cases and doors see of the servers. */
export function serversInCore({
  servers,
  shared,
  leadership: { isLeader },
}: OpenedServers): Pick<Core, "serverId" | "isLeader" | "servers" | "shared"> {
  return {
    serverId: servers?.id ?? null,
    isLeader,
    ...(servers && { servers }),
    ...(shared && { shared }),
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
  const { core, servers, leadership } = composed;
  if (!servers) return async () => undefined;
  const details = (): ServerDetails => ({
    host: hostname(),
    pid: process.pid,
    version: VERSION,
    url: url(),
    configHash: hashOfShared(composed.config()),
  });
  const keep: KeepLease = {
    servers,
    details,
    isReadOnly: readOnlyTools(loaded),
    leaseMs: loaded.config.store.lease_ms,
    onLeader(isLeader) {
      const isNew = isLeader && !leadership.isLeader();
      leadership.set(isLeader);
      // The merge queue of the last leader goes on here.
      if (isNew) core.mergeSoon();
    },
  };
  await joinServers(core, keep);
  const lease = keepLease(core, keep);
  const following = followOthers(core);
  const describing = keepDescribed(servers, details);
  return async () => {
    following.stop();
    describing.stop();
    await lease.stop();
  };
}

/** The address is known after the doors are open, and a reload changes the configuration. */
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
  const { server: _server, dashboard: _dashboard, log: _log, store: _store, ...shared } = config;
  return createHash("sha256").update(JSON.stringify(shared)).digest("hex").slice(0, 12);
}

/** By the configuration, because the upstream servers may not be connected yet. */
export function readOnlyTools({ config }: LoadedConfig): IsReadOnly {
  return ({ server, tool }) => config.mcpServers[server]?.tools[tool]?.readOnly === true;
}
