import { setTimeout as sleep } from "node:timers/promises";
import { oneAtATime } from "../../app/one-at-a-time.ts";
import {
  UpstreamFault,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamServer,
  type UpstreamStatus,
} from "../../app/ports/upstream.ts";
import type { Log } from "../../app/ports/world.ts";
import type { UpstreamSettings } from "../../contract/config.ts";
import type { UpstreamLimits } from "./limits.ts";
import { readTools, type ReadTools } from "./read-tools.ts";
// Only the type: the SDK is loaded when the first server is started.
import type { OpenClient, OpenedClient } from "./sdk-client.ts";
import { WrongSettings } from "./server-environment.ts";

const CANCELLED_UNSENT = "The call was cancelled before it was sent.";

export type ConnectionOptions = Pick<OpenClient, "directory" | "variables" | "version"> & {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly log: Log;
  readonly limits: UpstreamLimits;
  /** Replaces secrets in a text. */
  redact(text: string): string;
  onChange(): void;
  /** Its tools under the earlier settings; they stay listed until the server lists them again. */
  readonly known?: ReadTools;
};

/** One upstream server and our client, restarted for as long as the daemon runs. */
export type Connection = {
  view(): UpstreamServer;
  start(): void;
  /** Resolves once the server has listed its tools or failed. */
  readonly settled: Promise<void>;
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
  known(): ReadTools;
  close(): Promise<void>;
};

export function createConnection(options: ConnectionOptions): Connection {
  const { name, settings, log, limits } = options;
  const transport = settings.command === undefined ? "http" : "stdio";
  const closing = new AbortController();
  const settled = Promise.withResolvers<void>();
  let status: UpstreamStatus = settings.disabled ? "stopped" : "starting";
  let error: string | null = null;
  let restarts = 0;
  let known: ReadTools = options.known ?? { tools: [], ownNames: new Map(), remarks: [] };
  let client: OpenedClient | undefined;
  let isModern = false;
  let changed = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  let remarked = "";
  /** The server announced changed tools, and they were not listed since. */
  let isStale = false;
  if (settings.disabled) settled.resolve();

  function become(next: UpstreamStatus, why: string | null): void {
    const text = why === null ? null : options.redact(why);
    const isNews = next !== status || text !== error;
    if (isNews && text !== null) {
      log.warn("An upstream server is not available.", { server: name, error: text });
    } else if (isNews) {
      log.info("An upstream server is ready.", { server: name, tools: known.tools.length });
    }
    status = next;
    error = text;
    changed.resolve();
    changed = Promise.withResolvers<void>();
    if (isNews) options.onChange();
  }

  async function open(): Promise<OpenedClient> {
    const { openClient, HandshakeRefused } = await import("./sdk-client.ts");
    try {
      return await openClient({
        settings,
        directory: options.directory,
        variables: options.variables,
        version: options.version,
        startMs: limits.startMs,
        graceMs: limits.graceMs,
        signal: closing.signal,
        isModern,
        onToolsChanged() {
          isStale = true;
          void look();
        },
        onGarbage: (beginning) =>
          log.warn("An upstream server wrote something else than messages to stdout.", {
            server: name,
            beginning: options.redact(beginning),
          }),
      });
    } catch (failure) {
      if (failure instanceof HandshakeRefused) isModern = !isModern;
      throw failure;
    }
  }

  type Life = { readonly why: string; readonly wasReady: boolean; readonly ended?: Promise<void> };

  /** Runs the server once, from start to end; answers how it ended. */
  async function live(): Promise<Life> {
    let opened: OpenedClient | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      opened = await open();
      await list(opened);
      client = opened;
      if (isStale) void look();
      become("ready", null);
      settled.resolve();
      if (transport === "http") timer = setInterval(() => void look(), limits.lookEveryMs).unref();
      const why = await opened.closed;
      return { why, wasReady: true, ended: opened.close() };
    } catch (failure) {
      if (failure instanceof WrongSettings) throw failure;
      const why = failure instanceof Error ? failure.message : String(failure);
      return { why, wasReady: false, ...(opened && { ended: opened.close() }) };
    } finally {
      clearInterval(timer);
      client = undefined;
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      const startedAt = performance.now();
      const { why, wasReady, ended } = await live();
      if (wasReady && performance.now() - startedAt >= limits.steadyMs) failures = 0;
      // A server that was ready a moment ago is probably back soon: calls may wait for it.
      if (!closing.signal.aborted) {
        become(wasReady && failures === 0 ? "starting" : "failed", why);
      }
      settled.resolve();
      await ended;
      if (closing.signal.aborted) return;
      await sleep(pauseAfter(failures++, limits), undefined, { signal: closing.signal });
      restarts++;
      options.onChange();
    }
  }

  /** Lists the tools again; if that fails, the connection is closed and opened again. */
  const look = oneAtATime(async () => {
    const asked = client;
    if (!asked) return;
    try {
      if (await list(asked)) options.onChange();
    } catch {
      await asked.close();
    }
  });

  /** Answers whether anything has changed. */
  async function list(from: OpenedClient): Promise<boolean> {
    isStale = false;
    const { found, remarks } = await from.listTools();
    const read = readTools(name, found, settings.tools);
    const all = [...remarks, ...read.remarks];
    if (all.length > 0 && all.join() !== remarked) {
      log.warn("Some tools of an upstream server were left out or truncated.", {
        server: name,
        remarks: all.slice(0, 20),
      });
    }
    remarked = all.join();
    const isNews = hashesOf(read) !== hashesOf(known);
    known = read;
    return isNews;
  }

  function unavailable(): UpstreamFault {
    return new UpstreamFault(
      "unavailable",
      `The upstream server ${name} is ${status}${error === null ? "" : `: ${error}`}`,
    );
  }

  async function connected(signal: AbortSignal): Promise<OpenedClient> {
    if (client) return client;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(limits.patienceMs)]);
    for (;;) {
      if (signal.aborted) throw new UpstreamFault("unavailable", CANCELLED_UNSENT);
      if (client) return client;
      if (status !== "starting" || patience.aborted) throw unavailable();
      await Promise.race([changed.promise, aborted(patience)]);
    }
  }

  return {
    settled: settled.promise,
    known: () => known,
    view: () => ({ name, transport, status, error, restarts, tools: known.tools }),
    start() {
      if (settings.disabled) return;
      running = run().catch((failure: unknown) => {
        if (closing.signal.aborted) return;
        become("failed", failure instanceof Error ? failure.message : String(failure));
        settled.resolve();
      });
    },
    async call(call) {
      const to = await connected(call.signal);
      const tool = known.tools.find((each) => each.name === call.tool);
      const ownName = known.ownNames.get(call.tool);
      if (!tool || ownName === undefined) {
        throw new UpstreamFault("unavailable", `${name} has no tool ${call.tool} now.`);
      }
      try {
        return await to.call(tool, ownName, call);
      } catch (failure) {
        if (!(failure instanceof UpstreamFault)) throw failure;
        // HTTP has no event for a server that is gone; listing the tools finds out.
        const isGone = failure.kind === "lost" || failure.kind === "unavailable";
        if (transport === "http" && isGone && client === to) void look();
        throw new UpstreamFault(failure.kind, options.redact(`${name}: ${failure.message}`));
      }
    },
    async close() {
      closing.abort();
      settled.resolve();
      await client?.close();
      await running;
      status = "stopped";
      error = null;
    },
  };
}

function hashesOf({ tools }: ReadTools): string {
  return tools.map(({ hash }) => hash).join();
}

function pauseAfter(failures: number, { firstPauseMs, longestPauseMs }: UpstreamLimits): number {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(failures, 20), longestPauseMs);
  // Jitter: servers that failed together do not all restart together.
  return pause * (0.75 + Math.random() / 2);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
