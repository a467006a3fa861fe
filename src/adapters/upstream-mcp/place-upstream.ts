import type { OwnedUpstream, UpstreamOwners } from "../../app/ports/upstream-owners.ts";
import { UpstreamFault, type Placement, type UpstreamServer } from "../../app/ports/upstream.ts";
import type { Log } from "../../app/ports/world.ts";
import { runCoalesced } from "../../base/run-coalesced.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import type { StartableUpstream } from "./upstream.ts";

/** How soon another server runs the copy of one that is gone, after the end of its lease. */
const LOOK_EVERY_MS = 500;

type Servers = Readonly<Record<string, UpstreamSettings>>;

export type PlaceUpstream = {
  /** Runs what this server runs itself. */
  readonly local: StartableUpstream;
  readonly owners: UpstreamOwners;
  readonly serverId: string;
  readonly servers: Servers;
  readonly log: Log;
};

export type PlacedUpstream = StartableUpstream & { readonly placement: Placement };

/**
 * Upstream servers with `placement: one` run on one server. The others show what its owner has listed;
 * their calls are carried out by the owner.
 */
export function placeUpstream(options: PlaceUpstream): PlacedUpstream {
  const { local, owners, serverId, log } = options;
  const listeners = new Set<() => void>();
  const first = Promise.withResolvers<void>();
  let configured = options.servers;
  let copies = new Map<string, OwnedUpstream>();
  let views: readonly UpstreamServer[] | undefined;
  const described = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const names = (): readonly string[] =>
    Object.entries(configured).flatMap(([name, each]) => (isOne(each) ? [name] : []));
  const isMine = (name: string): boolean => copies.get(name)?.owner === serverId;
  const isShared = (name: string): boolean => {
    const settings = configured[name];
    return settings !== undefined && isOne(settings);
  };

  function ownServers(): Servers {
    const own = Object.entries(configured).filter(([name, each]) => !isOne(each) || isMine(name));
    return Object.fromEntries(own);
  }
  function onChange(): void {
    views = undefined;
    for (const listener of listeners) listener();
  }
  function viewOf(name: string): UpstreamServer {
    const copy = copies.get(name);
    const known = local.servers().find((each) => each.name === name);
    if (known) return known;
    if (copy?.listing != null) return JSON.parse(copy.listing);
    return { name, transport: "stdio", status: "starting", error: null, restarts: 0, tools: [] };
  }
  async function look(): Promise<void> {
    if (isClosed) return;
    const before = copies;
    const wanted = names();
    const known = wanted.length === 0 ? [] : await owners.claim(wanted);
    copies = new Map(known.map((copy) => [copy.name, copy]));
    if (wanted.some((name) => copies.get(name)?.owner !== before.get(name)?.owner)) {
      described.clear();
      local.replace(ownServers());
    }
    await describe();
    if (wanted.some((name) => copies.get(name)?.listing !== before.get(name)?.listing)) onChange();
    first.resolve();
  }
  async function describe(): Promise<void> {
    for (const each of local.servers()) {
      const listing = JSON.stringify(each);
      if (!isMine(each.name) || described.get(each.name) === listing) continue;
      await owners.describe(each.name, listing);
      described.set(each.name, listing);
    }
  }
  const lookSoon = runCoalesced(() =>
    look().catch((error: unknown) =>
      log.warn("The owners of upstream servers could not be read; trying again.", {
        error: String(error),
      }),
    ),
  );
  local.subscribe(() => {
    onChange();
    void lookSoon();
  });
  local.replace(ownServers());

  return {
    placement: {
      isOwner: (name) => isShared(name) && isMine(name),
      ownerOf: (name) =>
        isShared(name) && !isMine(name) ? (copies.get(name)?.owner ?? null) : null,
    },
    start() {
      local.start();
      timer = setInterval(() => void lookSoon(), LOOK_EVERY_MS);
      timer.unref();
      void lookSoon();
    },
    replace(servers) {
      configured = servers;
      local.replace(ownServers());
      void lookSoon();
    },
    servers: () => (views ??= Object.keys(configured).map(viewOf)),
    async settled(withinMs) {
      const begun = performance.now();
      if (names().length > 0) await Promise.race([first.promise, wait(withinMs)]);
      await local.settled(Math.max(0, withinMs - (performance.now() - begun)));
    },
    async call(call) {
      if (!isShared(call.server) || isMine(call.server)) return local.call(call);
      throw new UpstreamFault("unavailable", `No server runs ${call.server} yet.`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await local.close();
      await owners.release().catch(() => undefined);
      await owners.close();
    },
  };
}

/** A server with an address is shared anyway. */
function isOne({ placement, command }: UpstreamSettings): boolean {
  return placement === "one" && command !== undefined;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
