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
  let views: readonly UpstreamServer[] | undefined;
  let timer: NodeJS.Timeout | undefined;

  const own = createOwn(options, (name) => copies.ownerOf(name));
  function onChange(): void {
    views = undefined;
    for (const listener of listeners) listener();
  }
  const copies = followCopies({
    owners,
    serverId,
    names: own.shared,
    seen: () => local.servers(),
    onMoved: own.run,
    onListed: onChange,
  });
  const lookSoon = runCoalesced(() =>
    copies.look().catch((error: unknown) =>
      log.warn("The owners of upstream servers could not be read; trying again.", {
        error: String(error),
      }),
    ),
  );
  local.subscribe(() => {
    onChange();
    void lookSoon();
  });
  own.run();

  return {
    placement: {
      isOwner: (name) => own.shared().includes(name) && copies.isMine(name),
      ownerOf: (name) => (own.isRemote(name) ? copies.ownerOf(name) : null),
    },
    start() {
      local.start();
      timer = setInterval(() => void lookSoon(), LOOK_EVERY_MS);
      timer.unref();
      void lookSoon();
    },
    replace(servers) {
      own.run(servers);
      void lookSoon();
    },
    servers() {
      const seen = new Map(local.servers().map((each) => [each.name, each]));
      views ??= own.names().map((name) => seen.get(name) ?? copies.viewOf(name));
      return views;
    },
    async settled(withinMs) {
      const begun = performance.now();
      if (own.shared().length > 0) await Promise.race([copies.firstLook, wait(withinMs)]);
      await local.settled(Math.max(0, withinMs - (performance.now() - begun)));
    },
    async call(call) {
      if (!own.isRemote(call.server)) return local.call(call);
      throw new UpstreamFault("unavailable", `No server runs ${call.server} yet.`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      copies.end();
      clearInterval(timer);
      await local.close();
      await owners.release().catch(() => undefined);
      await owners.close();
    },
  };
}

/** What this server runs itself. */
function createOwn(
  { local, serverId, servers }: PlaceUpstream,
  ownerOf: (name: string) => string | null,
) {
  let configured = servers;
  let running: Servers = {};
  const isShared = (name: string): boolean => isOne(configured[name]);
  // After a change from `each` to `one` the program goes on until a server has claimed the one copy: if
  // it is this server, the program is not restarted.
  const isUnclaimed = (name: string): boolean =>
    isShared(name) && ownerOf(name) === null && running[name] !== undefined;
  const isRemote = (name: string): boolean =>
    isShared(name) && ownerOf(name) !== serverId && !isUnclaimed(name);
  return {
    names: (): readonly string[] => Object.keys(configured),
    shared: (): readonly string[] => Object.keys(configured).filter(isShared),
    isRemote,
    run(this: void, next: Servers = configured): void {
      configured = next;
      const own = Object.entries(configured).filter(([name]) => !isRemote(name));
      const before = (name: string) => (isUnclaimed(name) ? running[name] : undefined);
      running = Object.fromEntries(
        own.map(([name, each]) => [name, before(name) ?? startedHere(each)]),
      );
      local.replace(running);
    },
  };
}

type FollowCopies = Pick<PlaceUpstream, "owners" | "serverId"> & {
  readonly names: () => readonly string[];
  /** The upstream servers that this server runs. */
  readonly seen: () => readonly UpstreamServer[];
  readonly onMoved: () => void;
  readonly onListed: () => void;
};

/** Which server runs each copy. It becomes the owner of copies that no server runs. */
function followCopies({ owners, serverId, names, seen, onMoved, onListed }: FollowCopies) {
  const first = Promise.withResolvers<void>();
  /** The listings that this server has stored for the others. */
  const described = new Map<string, string>();
  let copies: ReadonlyMap<string, OwnedUpstream> = new Map();
  let isEnded = false;
  let isFirst = true;

  const isMine = (name: string): boolean => copies.get(name)?.owner === serverId;

  async function describe(): Promise<void> {
    for (const each of seen().filter(({ name }) => isMine(name))) {
      const listing = JSON.stringify(each);
      if (described.get(each.name) === listing) continue;
      await owners.describe(each.name, listing);
      described.set(each.name, listing);
    }
  }
  return {
    isMine,
    firstLook: first.promise,
    end: (): void => void (isEnded = true),
    ownerOf: (name: string): string | null => copies.get(name)?.owner ?? null,
    viewOf(name: string): UpstreamServer {
      const listing = copies.get(name)?.listing ?? null;
      if (listing !== null) return JSON.parse(listing);
      return { name, transport: "stdio", status: "starting", error: null, restarts: 0, tools: [] };
    },
    async look(): Promise<void> {
      if (isEnded) return;
      const wanted = names();
      const before = copies;
      // A process of this server that was killed may have left copies that are no longer wanted.
      const isLeft = ({ name, owner }: OwnedUpstream): boolean =>
        owner === serverId && !wanted.includes(name);
      if (isFirst || [...before.values()].some(isLeft)) await owners.release(wanted);
      isFirst = false;
      const known = wanted.length === 0 ? [] : await owners.claim(wanted);
      // The owner of a name that this server places on each says nothing about a later claim.
      const claimed = known.filter(({ name }) => wanted.includes(name));
      copies = new Map(claimed.map((copy) => [copy.name, copy]));
      const changed = (what: "owner" | "listing"): boolean =>
        wanted.some((name) => copies.get(name)?.[what] !== before.get(name)?.[what]);
      if (changed("owner")) {
        described.clear();
        onMoved();
      }
      await describe();
      if (changed("listing")) onListed();
      first.resolve();
    },
  };
}

/** A copy that stays on this server is not restarted because its placement was changed. */
function startedHere(settings: UpstreamSettings): UpstreamSettings {
  return { ...settings, placement: "each" };
}

/** A server with an address is shared anyway. */
function isOne(settings: UpstreamSettings | undefined): boolean {
  return settings?.placement === "one" && settings.command !== undefined;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
