import { setTimeout as sleep } from "node:timers/promises";
import {
  UpstreamFault,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamServer,
  type UpstreamStatus,
} from "../../app/ports/upstream.ts";
import type { UpstreamLimits } from "./limits.ts";
import type { ReadTools } from "./read-tools.ts";
// Only the type: the SDK is loaded when the first server is started.
import type { OpenedClient } from "./sdk-client.ts";
import { createServerRun, messageOf, type ServerRunOptions } from "./server-run.ts";
import { createToolList } from "./tool-list.ts";

const CANCELLED_UNSENT = "The call was cancelled before it was sent.";
const TOO_LATE = "The server was ready too late for this call, which was not sent.";

export type ConnectionOptions = ServerRunOptions & {
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
  const { name, settings, limits } = options;
  const transport = settings.command === undefined ? "http" : "stdio";
  const closing = new AbortController();
  const settled = Promise.withResolvers<void>();
  const list = createToolList(options);
  const state = createState(options, () => list.known().tools.length);
  const server = createServerRun(options, list, closing.signal, () => {
    state.become("ready", null);
    settled.resolve();
  });
  let restarts = 0;
  let running: Promise<void> = Promise.resolve();
  if (settings.disabled) settled.resolve();

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      const startedAt = performance.now();
      const { why, wasReady, ended } = await server.run();
      if (wasReady && performance.now() - startedAt >= limits.steadyMs) failures = 0;
      // A server that was ready a moment ago is probably back soon: calls may wait for it.
      if (!closing.signal.aborted) {
        state.become(wasReady && failures === 0 ? "starting" : "failed", why);
      }
      settled.resolve();
      await ended;
      if (closing.signal.aborted) return;
      await sleep(pauseAfter(failures++, limits), undefined, { signal: closing.signal });
      restarts++;
      options.onChange();
    }
  }

  async function connected(signal: AbortSignal): Promise<OpenedClient> {
    const ready = server.client();
    if (ready) return ready;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(limits.patienceMs)]);
    for (;;) {
      if (signal.aborted) throw new UpstreamFault("unavailable", CANCELLED_UNSENT);
      const client = server.client();
      if (client) return client;
      if (state.view().status !== "starting" || patience.aborted) throw state.unavailable();
      await Promise.race([state.changed(), aborted(patience)]);
    }
  }

  return {
    settled: settled.promise,
    known: list.known,
    view: () => ({ name, transport, ...state.view(), restarts, tools: list.known().tools }),
    start() {
      if (settings.disabled) return;
      running = run().catch((failure: unknown) => {
        if (closing.signal.aborted) return;
        state.become("failed", messageOf(failure));
        settled.resolve();
      });
    },
    async call(call) {
      const to = await connected(call.signal);
      const { tool, ownName } = list.find(call.tool);
      if (!call.maySend()) throw new UpstreamFault("unavailable", `${name}: ${TOO_LATE}`);
      try {
        return await to.call(tool, ownName, call);
      } catch (failure) {
        if (!(failure instanceof UpstreamFault)) throw failure;
        // HTTP has no event for a server that is gone; listing the tools finds out.
        const isGone = failure.kind === "lost" || failure.kind === "unavailable";
        if (transport === "http" && isGone && server.client() === to) void server.look();
        throw new UpstreamFault(failure.kind, options.redact(`${name}: ${failure.message}`));
      }
    },
    async close() {
      closing.abort();
      settled.resolve();
      await server.client()?.close();
      await running;
      state.stop();
    },
  };
}

/** Whether the server can be used, and why not. */
function createState(
  { name, settings, log, redact, onChange }: ConnectionOptions,
  tools: () => number,
) {
  let status: UpstreamStatus = settings.disabled ? "stopped" : "starting";
  let error: string | null = null;
  let changed = Promise.withResolvers<void>();
  return {
    view: () => ({ status, error }),
    changed: () => changed.promise,
    become(next: UpstreamStatus, why: string | null): void {
      const text = why === null ? null : redact(why);
      const isNews = next !== status || text !== error;
      if (isNews && text !== null) {
        log.warn("An upstream server is not available.", { server: name, error: text });
      } else if (isNews) {
        log.info("An upstream server is ready.", { server: name, tools: tools() });
      }
      status = next;
      error = text;
      changed.resolve();
      changed = Promise.withResolvers<void>();
      if (isNews) onChange();
    },
    unavailable: () =>
      new UpstreamFault(
        "unavailable",
        `The upstream server ${name} is ${status}${error === null ? "" : `: ${error}`}`,
      ),
    stop(): void {
      status = "stopped";
      error = null;
    },
  };
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
