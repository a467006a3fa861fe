import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createAgentEnvironment } from "../../adapters/agent-environment.ts";
import { socketPathFor, stateDir } from "../../adapters/config/locate.ts";
import { createLog } from "../../adapters/log.ts";
import { acquireLock } from "../../adapters/store/lock.ts";
import { serverIdOf } from "../../adapters/store/server-id.ts";
import { createShippingSupervisor } from "../../adapters/supervisor/shipping-supervisor.ts";
import {
  createSpoolShipper,
  type SpoolShipper,
} from "../../adapters/supervisor/spool/ship-spool.ts";
import type { WorkerRefused } from "../../adapters/workers/open-server.ts";
import { createServerLink, type ServerLink } from "../../adapters/workers/server-link.ts";
import { systemClock, systemRandom } from "../../adapters/world.ts";
import type { HostParts } from "../../app/agents/build-launch.ts";
import type { Runner } from "../../app/ports/runner.ts";
import type { Observation } from "../../app/ports/supervisor.ts";
import type { TranscriptChunk } from "../../app/ports/transcripts.ts";
import type { Log } from "../../app/ports/world.ts";
import {
  storedEndsShape,
  WORKER_PROTOCOL,
  type WorkerHello,
  type WorkerWelcome,
} from "../../contract/workers/messages.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import { SpokenError } from "../../domain/spoken-error.ts";
import { createRunners, requireRunner } from "../daemon/create-runners.ts";
import { requireOpenFiles } from "../daemon/open-files-limit.ts";
import { commandName, launcherCommand, shimCommand } from "../entries.ts";
import { VERSION } from "../version.ts";
import { createInstalledRunners } from "./installed-runners.ts";
import { openRelaySocket } from "./relay-socket.ts";
import { sweepWorktrees } from "./sweep-worktrees.ts";
import { tellCapabilities } from "./tell-capabilities.ts";
import { createWorkerHost, type WorkerHost } from "./worker-host.ts";
import { createWorktreeHost } from "./worktree-host.ts";

const LOOK_EVERY_MS = 250;
/** After the grace period of a stop: for a busy machine, and until the launcher gives a stop up. */
const KILLED_WITHIN_MS = 15_000;
/** A worker that is admitted at the end of its lease needs a moment to adopt its agents. */
const ADOPTED_WITHIN_MS = 5_000;

export type RunWorker = {
  readonly servers: readonly URL[];
  readonly token: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** undefined: a directory of its own for each token. */
  readonly dataDir: string | undefined;
  /** How long a worker that is stopped waits for its agents. */
  readonly drainMs: number;
};

/** Runs agents for servers until a signal stops it. Returns the exit code. */
export async function runWorker(options: RunWorker): Promise<number> {
  const log = createLog("info", (line) => process.stderr.write(line));
  requireOpenFiles(log);
  const { dataDir, lock } = lockDataDir(options);
  const instance = serverIdOf(dataDir, (bytes) => systemRandom.hex(bytes));
  const socketPath = socketPathFor(dataDir, process.env);
  let parts: WorkerParts | undefined;
  let variableNames: readonly string[] = [];
  let isDraining = false;
  const observe = async (batch: readonly Observation[]): Promise<void> => {
    await link.call("observe", host.report(batch));
  };
  const shipper = createShipper(dataDir, log, (name, args) => link.call(name, args));
  /** What an earlier process of this worker could not send. */
  const resume = once(() => shipper.resume());
  const relay = await openRelaySocket({
    path: socketPath,
    log,
    tell: (name, piece) => link.tell(name, piece),
  });
  const host = createWorkerHost({
    parts: () => requireParts(parts),
    isStarted: () => parts !== undefined,
    host: hostname(),
    observe,
    onRelay: (piece) => relay.receive(piece),
  });
  const worktrees = createWorktreeHost(dataDir, {
    variableNames: () => variableNames,
    tell: (name, args) => link.tell(name, args),
  });
  const sweeping = sweepWorktrees(worktrees, log, (ids) => link.call("removableWorktrees", ids));
  const installed = createInstalledRunners();
  const telling = tellCapabilities(installed, log);
  const ended = Promise.withResolvers<WorkerRefused | undefined>();
  const link = createServerLink({
    ...options,
    log,
    hello: async () => ({
      ...(await describeHost(options, installed, parts?.runners)),
      instance,
      isDraining,
      worktreeRoot: worktrees.root,
    }),
    handlers: { ...host.handlers, ...worktrees.handlers, sweepWorktrees: () => sweeping.soon() },
    async onAdmitted(welcome) {
      variableNames = welcome.agents.variables;
      await worktrees.dropIncoming();
      parts ??= createParts({ welcome, dataDir, socketPath, log, observe, shipper });
      relay.connected();
    },
    onReady() {
      void resume();
      telling.soon(link, requireParts(parts).runners);
      sweeping.soon();
    },
    onDisconnected: () => relay.disconnected(),
    onLeaseEnded: () => endAgents(host, log, "No server was reached for too long."),
    onRefused(why) {
      endAgents(host, log, "The server refuses this worker.");
      ended.resolve(why);
    },
  });
  onSignals(async (isFirst) => {
    isDraining = true;
    if (isFirst) await drain(link, host, options.drainMs, log);
    ended.resolve(undefined);
  });

  link.start();
  const refused = await ended.promise;
  if (refused) await untilKilled(host, parts, () => isDraining);
  else await leave(link, host, log);
  link.close();
  sweeping.stop();
  telling.stop();
  await relay.close();
  await parts?.supervisor.close({ isForGood: refused !== undefined });
  lock.release();
  if (refused) throw refused;
  return 0;
}

function endAgents(host: WorkerHost, log: Log, why: string): void {
  const agents = host.countRunning();
  if (agents === 0) return;
  log.error(`${why} The agents of this worker are ended.`, { agents });
  host.stopAll();
}

async function leave(link: ServerLink, host: WorkerHost, log: Log): Promise<void> {
  await link.call("leave", {}).catch(() => undefined);
  const agents = host.count();
  log.info(agents > 0 ? "Stopped. Its agents go on; start it again." : "Stopped.", { agents });
}

/** A resume that fails is repeated after the next connection. */
function once(act: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await act().catch(() => void (isDone = false));
  };
}

function onSignals(act: (isFirst: boolean) => Promise<void>): void {
  let count = 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void act(++count === 1));
  }
}

async function drain(
  link: ServerLink,
  host: WorkerHost,
  withinMs: number,
  log: Log,
): Promise<void> {
  const agents = host.count();
  if (agents > 0) log.info("Taking no more agents. A second signal stops at once.", { agents });
  await link.call("drain", {}).catch(() => undefined);
  await untilNone(host.count, withinMs);
}

/** After a signal the launcher ends the agents alone. */
async function untilKilled(
  host: WorkerHost,
  parts: WorkerParts | undefined,
  isSignalled: () => boolean,
): Promise<void> {
  const count = () => (isSignalled() ? 0 : host.countRunning());
  await untilNone(count, (parts?.graceMs ?? 0) + KILLED_WITHIN_MS);
}

async function untilNone(count: () => number, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (count() > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function describeHost(
  { slots, labels }: RunWorker,
  installed: ReturnType<typeof createInstalledRunners>,
  runners: ReadonlyMap<RunnerId, Runner> = createRunners({ acpCommand: [] }),
): Promise<Omit<WorkerHello, "instance" | "isDraining">> {
  return {
    protocol: WORKER_PROTOCOL,
    host: hostname(),
    pid: process.pid,
    version: VERSION,
    slots,
    labels: [...labels],
    runners: await installed.list(runners),
    now: systemClock.now(),
  };
}

type Parts = {
  readonly welcome: WorkerWelcome;
  readonly dataDir: string;
  readonly socketPath: string;
  readonly log: Log;
  readonly observe: (batch: readonly Observation[]) => Promise<void>;
  readonly shipper: SpoolShipper;
};

const spoolIn = (dataDir: string): string => join(dataDir, "spool");

/** Sends output of agents to the server, which stores it. */
function createShipper(
  dataDir: string,
  log: Log,
  call: (name: string, args: unknown) => Promise<unknown>,
): SpoolShipper {
  return createSpoolShipper({
    spoolDir: spoolIn(dataDir),
    sink: async (chunks) => void (await call("putTranscripts", chunks.map(inBase64))),
    acknowledged: async (attempts) =>
      storedEndsShape.parse(await call("storedTranscripts", attempts)),
    log,
  });
}

function inBase64(chunk: TranscriptChunk) {
  return { ...chunk, data: Buffer.from(chunk.data).toString("base64") };
}

/** `graceMs`: from the polite signal to SIGKILL, as long as this process lives. */
type WorkerParts = HostParts & { readonly graceMs: number };

function createParts({ welcome, dataDir, socketPath, log, observe, shipper }: Parts): WorkerParts {
  const { hardKillAfterMs, maxOutputBytes, variables, acpCommand } = welcome.agents;
  const runners = createRunners({ acpCommand });
  return {
    graceMs: hardKillAfterMs,
    runners,
    environment: createAgentEnvironment({
      variables: process.env,
      extraNames: variables,
      runners,
      // Agents reach our MCP server through the local socket.
      mcpUrl: () => null,
      socketPath,
      shimCommand: shimCommand(),
      commandName: commandName(),
    }),
    supervisor: createShippingSupervisor(
      {
        spoolDir: spoolIn(dataDir),
        launcher: { command: launcherCommand() },
        runners: (id) => requireRunner(runners, id),
        observe,
        log,
        clock: systemClock,
        graceMs: hardKillAfterMs,
        maxSpoolBytes: maxOutputBytes,
        // Servers have taken them for lost by then.
        orphansEndAfterMs: welcome.leaseMs + ADOPTED_WITHIN_MS,
      },
      shipper,
    ),
  };
}

function lockDataDir(options: RunWorker) {
  const named = options.dataDir ?? dataDirFor(options.token);
  const lock = acquireLock(named);
  if (!lock) throw alreadyRunning(named);
  // Without links: servers name directories below it.
  return { dataDir: realpathSync(named), lock };
}

/** One directory per token: its agents are found again after a restart. */
function dataDirFor(token: string): string {
  const name = createHash("sha256").update(token).digest("hex").slice(0, 8);
  return join(stateDir(process.env), `worker-${name}`);
}

function requireParts(parts: HostParts | undefined): HostParts {
  if (!parts) throw new Error("The worker is not connected yet.");
  return parts;
}

function alreadyRunning(dataDir: string): SpokenError {
  return new SpokenError({
    en: `Another process uses ${dataDir}. Stop it, or name another directory with --data, and another token.`,
    ja: `別のプロセスが ${dataDir} を使っています。それを止めるか、--data で別のディレクトリを指定し、別のトークンを使ってください。`,
  });
}
