import { setTimeout as sleep } from "node:timers/promises";
import {
  UpstreamFault,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamServer,
} from "../../app/ports/upstream.ts";
import type { Log } from "../../app/ports/world.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import { createConnection, type Connection, type ConnectionOptions } from "./connection.ts";
import { DEFAULT_LIMITS, type UpstreamLimits } from "./limits.ts";
import type { ReadTools } from "./read-tools.ts";

export type CreateUpstream = {
  readonly servers: Readonly<Record<string, UpstreamSettings>>;
  /** Base of relative working directories. */
  readonly directory: string;
  /** The daemon's environment: for `${env:NAME}`, and for the variables that servers inherit. */
  readonly variables: NodeJS.ProcessEnv;
  readonly version: string;
  readonly log: Log;
  readonly limits?: Partial<UpstreamLimits>;
};

type Servers = CreateUpstream["servers"];

export type StartableUpstream = Upstream & {
  /** Connects to all servers in the background. */
  start(): void;
  /**
   * Replaces the list of servers. Unchanged servers stay connected; new and changed ones are
   * connected. A removed or changed one is closed once its calls under way have their answers.
   */
  replace(servers: Servers): void;
};

type Entry = {
  /** As JSON, to notice changes. */
  readonly settings: string;
  readonly connection: Connection;
  readonly calls: Set<Promise<unknown>>;
};

export function createUpstream(options: CreateUpstream): StartableUpstream {
  const listeners = new Set<() => void>();
  let isStarted = false;
  let isClosed = false;
  const leaving = new Set<Entry>();
  let entries = enter(options.servers, new Map());
  /** Cached until something changes, so that callers can cache what they derive from it. */
  let views: readonly UpstreamServer[] | undefined;

  function onChange(): void {
    views = undefined;
    for (const listener of listeners) listener();
  }

  function enter(servers: Servers, known: ReadonlyMap<string, Entry>): Map<string, Entry> {
    return new Map(
      Object.entries(servers).map(([name, settings]) => {
        const before = known.get(name);
        const isKept = before !== undefined && isSame(before, settings);
        return [name, isKept ? before : connect(name, settings, before?.connection.known())];
      }),
    );
  }

  function connect(name: string, settings: UpstreamSettings, known?: ReadTools): Entry {
    const entry = createEntry(options, name, settings, { onChange, ...(known && { known }) });
    if (isStarted) entry.connection.start();
    return entry;
  }

  async function leave(entry: Entry): Promise<void> {
    leaving.add(entry);
    await Promise.allSettled(entry.calls);
    try {
      await entry.connection.close();
    } catch (error) {
      options.log.error("Could not close the connection to an upstream server.", {
        error: String(error),
      });
    }
    leaving.delete(entry);
  }

  const connections = () => Array.from(entries.values(), ({ connection }) => connection);

  return {
    start() {
      isStarted = true;
      for (const connection of connections()) connection.start();
    },
    replace(servers) {
      if (isClosed) return;
      const before = entries;
      entries = enter(servers, before);
      const kept = new Set(entries.values());
      for (const entry of before.values()) if (!kept.has(entry)) void leave(entry);
      onChange();
    },
    servers: () => (views ??= connections().map((each) => each.view())),
    async settled(withinMs) {
      if (entries.size === 0) return;
      const done = new AbortController();
      const all = Promise.all(connections().map((each) => each.settled));
      const late = sleep(withinMs, undefined, { signal: done.signal }).catch(() => {});
      await Promise.race([all, late]);
      done.abort();
    },
    async call(call) {
      const entry = entries.get(call.server);
      if (!entry) {
        throw new UpstreamFault("unavailable", `There is no upstream server ${call.server}.`);
      }
      return callThrough(entry, call);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      const all = [...entries.values(), ...leaving];
      await Promise.all(all.map(({ connection }) => connection.close()));
      views = undefined;
    },
  };
}

function createEntry(
  { directory, variables, version, log, limits }: CreateUpstream,
  name: string,
  settings: UpstreamSettings,
  more: Pick<ConnectionOptions, "onChange" | "known">,
): Entry {
  const connection = createConnection({
    name,
    settings,
    directory,
    variables,
    version,
    log,
    limits: { ...DEFAULT_LIMITS, ...limits },
    redact: redactor(settings, variables),
    ...more,
  });
  return { settings: JSON.stringify(settings), connection, calls: new Set() };
}

/** The entry knows its calls under way, so that it is not closed before their answers. */
async function callThrough(
  { connection, calls }: Entry,
  call: UpstreamCall,
): Promise<UpstreamAnswer> {
  const answer = connection.call(call);
  calls.add(answer);
  try {
    return await answer;
  } finally {
    calls.delete(answer);
  }
}

function isSame(entry: Entry, settings: UpstreamSettings): boolean {
  return entry.settings === JSON.stringify(settings);
}

/** Shorter values are no secrets, and would match everywhere. */
const MIN_SECRET_CHARS = 6;
const SOUNDS_SECRET = /key|token|secret|pass|auth|credential/i;

/** Servers may repeat their secrets in what they write. */
function redactor(
  { env = {}, headers = {} }: UpstreamSettings,
  variables: NodeJS.ProcessEnv,
): (text: string) => string {
  const written = [...Object.values(env), ...Object.values(headers)];
  const named = written.flatMap((value) =>
    Array.from(value.matchAll(/\$\{env:([^}]*)\}/g), ([, name = ""]) => variables[name] ?? ""),
  );
  const plain = Object.entries(env).filter(([name]) => SOUNDS_SECRET.test(name));
  const secrets = [...named, ...Object.values(headers), ...plain.map(([, value]) => value)].filter(
    (value) => value.length >= MIN_SECRET_CHARS,
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}
