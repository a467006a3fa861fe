import { loadConfig, type LoadedConfig } from "../adapters/config/load-config.ts";
import { findConfigFile, socketPathFor } from "../adapters/config/locate.ts";
import { createLog } from "../adapters/log.ts";
import { acquireLock } from "../adapters/store/lock.ts";
import { resumeAgents } from "../app/resume-agents.ts";
import type { DaemonStatus } from "../contract/hello.ts";
import { askDaemon } from "./ask-daemon.ts";
import { compose, type Composed } from "./compose.ts";
import { lastPort, rememberPort, removeDaemonFile, writeDaemonFile } from "./daemon-file.ts";
import { openDoors, type Doors } from "./doors.ts";
import { watchIdle } from "./idle.ts";
import { VERSION } from "./version.ts";

export type Serve = {
  /** Started by a shim: ends by itself when nobody needs it. */
  readonly background: boolean;
  readonly port: number | undefined;
  /** Adds what the MCP conformance suite looks for; never in normal use. */
  readonly conformance: boolean;
};

/** Another daemon has this data directory. */
export class AlreadyRunning extends Error {}

export type Daemon = { readonly status: () => Promise<DaemonStatus>; stop(): Promise<void> };

/** Starts the daemon; rejects with a sentence for the user when it cannot. */
export async function serve(options: Serve): Promise<Daemon> {
  const startedAt = new Date().toISOString();
  forgetTheAgentAbove();
  const loaded = await load(options);
  const log = createLog(loaded.config.log.level, (line) => process.stderr.write(line));
  for (const note of loaded.notes) log.info(note);
  const { dataDir } = loaded;
  const socketPath = socketPathFor(dataDir, process.env);
  const lock = acquireLock(dataDir);
  if (!lock) throw new AlreadyRunning(await describeRunning(dataDir, socketPath));

  let doors: Doors | undefined;
  let stopping: Promise<void> | undefined;
  const composed = await compose({
    loaded,
    log,
    socketPath,
    mcpUrl: () => doors?.mcpUrl() ?? null,
  });
  const { core } = composed;

  const status = async (): Promise<DaemonStatus> => ({
    pid: process.pid,
    version: VERSION,
    url: doors?.url() ?? null,
    dataDir,
    configPath: loaded.path,
    startedAt,
    agents: await core.store.countByProcess(),
    clients: doors?.clientCount() ?? 0,
  });
  const stop = (): Promise<void> => (stopping ??= shutDown());

  async function shutDown(): Promise<void> {
    log.info("Stopping. Agents that are running go on.");
    idle?.stop();
    await doors?.close();
    await composed.close();
    removeDaemonFile(dataDir);
    lock?.release();
  }

  doors = await openDoors({
    core,
    loaded,
    log,
    socketPath,
    status,
    stop: () => setImmediate(() => void stop().then(() => process.exit(0))),
    port: await portToUse(options, loaded, composed),
    conformance: options.conformance,
  });
  writeDaemonFile(dataDir, { ...(await status()), socketPath });
  rememberPort(dataDir, doors.url());
  const resumed = await resumeAgents(core);
  if (resumed > 0) log.info("Looking after agents of an earlier daemon.", { agents: resumed });
  reloadOnHangUp(options, composed, () => doors?.toolsChanged());
  const idle = options.background ? watchIdle(status, stop) : undefined;
  log.info("Ready.", { url: doors.url() ?? "none", socket: socketPath, pid: process.pid });
  return { status, stop };
}

/** Started from inside an agent, the daemon is not part of it: a stop of that agent must not find us. */
function forgetTheAgentAbove(): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("KUROMAJUTSU_AGENT_")) delete process.env[name];
  }
}

function load({ port }: Serve): Promise<LoadedConfig> {
  const env = {
    ...process.env,
    ...(port === undefined ? {} : { KUROMAJUTSU_PORT: String(port) }),
  };
  const found = findConfigFile(process.cwd(), env);
  return loadConfig({ path: found?.path, explicit: found?.explicit ?? false, env });
}

/**
 * Agents that are still running know the address they were started with: unless a port was asked
 * for by name, the last daemon's comes first while there are any.
 */
async function portToUse(options: Serve, { config, dataDir }: LoadedConfig, { core }: Composed) {
  const { port } = config.dashboard;
  const asked = options.port !== undefined || Boolean(process.env["KUROMAJUTSU_PORT"]);
  if (asked && port !== 0) return { port, explicit: true };
  const { live } = await core.store.countByProcess();
  const last = live > 0 ? lastPort(dataDir) : undefined;
  return { port: last ?? port, explicit: false };
}

async function describeRunning(dataDir: string, socketPath: string): Promise<string> {
  const running = await askDaemon({ socketPath, dataDir }, "status").catch(() => undefined);
  const who = running ? ` (pid ${running.pid}${running.url ? `, ${running.url}` : ""})` : "";
  return `A Kuromajutsu daemon already runs for ${dataDir}${who}. Use it, or end it with \`kuromajutsu stop\`.`;
}

/** SIGHUP reads the configuration again; a wrong one changes nothing. */
function reloadOnHangUp(options: Serve, composed: Composed, toolsChanged: () => void): void {
  const { log } = composed.core;
  async function reload(): Promise<void> {
    try {
      composed.useRoles(await load(options));
      toolsChanged();
      log.info("The configuration was read again; its roles and tools are in use now.");
    } catch (error) {
      log.error(`The configuration was not taken over. ${String(error)}`);
    }
  }
  process.on("SIGHUP", () => void reload());
}
