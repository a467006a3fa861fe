import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamFault, type Upstream, type UpstreamServer } from "../../app/ports/upstream.ts";
import type { Log } from "../../app/ports/world.ts";
import type { UpstreamSettings } from "../../contract/config.ts";
import { createConnection, type Connection } from "./connection.ts";
import { DEFAULT_LIMITS, type UpstreamLimits } from "./limits.ts";

export type CreateUpstream = {
  readonly servers: Readonly<Record<string, UpstreamSettings>>;
  /** What relative working directories are relative to. */
  readonly directory: string;
  /** Of the daemon: for `${env:NAME}`, and the little of it a server gets. */
  readonly variables: NodeJS.ProcessEnv;
  readonly version: string;
  readonly log: Log;
  readonly limits?: Partial<UpstreamLimits>;
};

export type StartableUpstream = Upstream & {
  /** Connects to all of them in the background; nobody waits for any of them. */
  start(): void;
};

export function createUpstream(options: CreateUpstream): StartableUpstream {
  const listeners = new Set<() => void>();
  const connections = new Map<string, Connection>(
    Object.entries(options.servers).map(([name, settings]) => [
      name,
      createConnection({
        name,
        settings,
        directory: options.directory,
        variables: options.variables,
        version: options.version,
        log: options.log,
        limits: { ...DEFAULT_LIMITS, ...options.limits },
        redact: redactor(settings, options.variables),
        onChange,
      }),
    ]),
  );
  /** The same list until something changes: what others make of it can be kept as long. */
  let views: readonly UpstreamServer[] | undefined;

  function onChange(): void {
    views = undefined;
    for (const listener of listeners) listener();
  }

  return {
    start() {
      for (const connection of connections.values()) connection.start();
    },
    servers: () => (views ??= Array.from(connections.values(), (each) => each.view())),
    async settled(withinMs) {
      if (connections.size === 0) return;
      const done = new AbortController();
      const all = Promise.all(Array.from(connections.values(), (each) => each.settled));
      const late = sleep(withinMs, undefined, { signal: done.signal }).catch(() => {});
      await Promise.race([all, late]);
      done.abort();
    },
    async call(call) {
      const connection = connections.get(call.server);
      if (connection) return connection.call(call);
      throw new UpstreamFault("unavailable", `There is no upstream server ${call.server}.`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await Promise.all(Array.from(connections.values(), (each) => each.close()));
      views = undefined;
    },
  };
}

/** Shorter values would be found everywhere, and are no secrets. */
const MIN_SECRET_CHARS = 6;
const SOUNDS_SECRET = /key|token|secret|pass|auth|credential/i;

/** What servers write may repeat what they were given. */
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
