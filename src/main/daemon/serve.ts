import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { socketPathFor } from "../../adapters/config/locate.ts";
import { MOVED_MARK } from "../../adapters/store/half-swapped.ts";
import { acquireLock } from "../../adapters/store/lock.ts";
import { moveToFallbacks } from "../../app/agents/move-to-fallbacks.ts";
import { resumeAgents } from "../../app/agents/resume-agents.ts";
import { stopAllAgents } from "../../app/agents/stop-all-agents.ts";
import { stopOrphanedAgents } from "../../app/agents/stop-orphaned-agents.ts";
import { startAlertOutbox } from "../../app/alerts/alert-outbox.ts";
import { recordAlerts } from "../../app/alerts/record-alerts.ts";
import { startApprovalClock } from "../../app/approvals/approval-clock.ts";
import type { Core } from "../../app/core.ts";
import { recoverCalls } from "../../app/gateway/recover-calls.ts";
import { resumeGroups } from "../../app/groups/resume-groups.ts";
import { startHealthChecks } from "../../app/health/check-health.ts";
import { recallRunnerProblems } from "../../app/health/runner-problems.ts";
import { redeliverNotifications } from "../../app/notifications/redeliver-notifications.ts";
import { auditOmitted, startAuditSummaries } from "../../app/people/audit-limit.ts";
import type { Log } from "../../app/ports/world.ts";
import { startScheduleClock } from "../../app/schedules/schedule-clock.ts";
import { watchInterrupts } from "../../app/tasks/interrupt/watch-interrupts.ts";
import { resumeTasks } from "../../app/tasks/task-advancer.ts";
import { listCapturingOf } from "../../app/workspaces/list-capturing-of.ts";
import { watchWorkspaces } from "../../app/workspaces/watch-workspaces.ts";
import type { DemoChoice } from "../../contract/demo.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import type { Texts } from "../../domain/locale.ts";
import { SpokenError } from "../../domain/spoken-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { settleAfterRestore, settleRestoredDatabase } from "./after-restore.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { compose, type Composed } from "./compose.ts";
import { configSource } from "./config-source.ts";
import { announceDaemon, lastPort, markStopped, removeDaemonFile } from "./daemon-file.ts";
import { countAgents, describeDaemon } from "./daemon-status.ts";
import { openDoors, type Doors } from "./doors.ts";
import { guardLock } from "./guard-lock.ts";
import { startMaintenance } from "./maintenance.ts";
import { requireOpenFiles } from "./open-files-limit.ts";
import { logPath, openLog } from "./open-log.ts";
import { reloadConfig, reloadOnHangUp } from "./reload-config.ts";
import { enterServers, readOnlyTools, resumeShipping } from "./servers.ts";
import { stopWhenIdle } from "./stop-when-idle.ts";

const KEEP_PORT_MS = 3_000;

export type Serve = {
  /** Started by a shim, so it ends by itself when it is idle. */
  readonly background: boolean;
  readonly port: number | undefined;
  /** The address named on the command line. */
  readonly bind?: string | undefined;
  /**
   * The file that the client which starts the daemon has found by searching; null if it found none;
   * undefined if the daemon is to search itself.
   */
  readonly foundConfig: string | null | undefined;
  /** A person watches this terminal, so the log goes to a file. */
  readonly isWatched?: boolean;
  /** Takes the lines of a log that goes to stderr. */
  readonly writeLine?: (line: string) => void;
  /** Adds the tools that the MCP conformance suite calls; never in normal use. */
  readonly conformance: boolean;
  /** This is the daemon of `kuromajutsu demo`. */
  readonly demo?: DemoChoice;
};

/** Another daemon holds the lock of the data directory. */
export class AlreadyRunning extends SpokenError {}

export type Daemon = {
  readonly core: Core;
  /** Programs read the output, so it has only lines of the log. */
  readonly isForPrograms: boolean;
  readonly status: () => Promise<DaemonStatus>;
  /** Stops every agent and starts no more; resolves when their processes are gone. */
  stopAgents(): Promise<void>;
  /** A person wants it to end, so open terminals start no other one. */
  stop(): Promise<void>;
};

/** Starts the daemon; rejects with a sentence for the user when it cannot. */
export async function serve(options: Serve): Promise<Daemon> {
  const startedAt = new Date().toISOString();
  forgetAgentAbove();
  const source = configSource(options);
  const loaded = await source.load();
  const log = startLog(loaded, options);
  const { dataDir } = loaded;
  const socketPath = socketPathFor(dataDir, process.env);
  const lock = acquireLock(dataDir);
  if (!lock) throw new AlreadyRunning(await describeRunning(dataDir, socketPath));

  let doors: Doors | undefined;
  let stopping: Promise<void> | undefined;
  let started = false;
  let areAgentsStopped = false;
  const background: (() => void | Promise<void>)[] = [];
  const composed = await compose({
    loaded,
    log,
    socketPath,
    mcpUrl: () => doors?.mcpUrl() ?? null,
    reloadConfig: () => source.reload(loaded),
    needsTrust: source.needsTrust(loaded),
    storeLost(message) {
      log.error(`${message} Stopping; agents go on.`);
      void stop().finally(() => process.exit(1));
    },
    toolsChanged: () => doors?.toolsChanged(),
  });
  const { core } = composed;
  const logFile = logPath(loaded, options) ?? null;
  const status = () =>
    describeDaemon({ core, loaded, startedAt, doors, logFile, demo: options.demo });
  const stop = (): Promise<void> => (stopping ??= shutDown());
  const stopOnPurpose = (): Promise<void> => {
    markStopped(dataDir);
    return stop();
  };
  const endAgents = () => stopAgents(composed).then(() => void (areAgentsStopped = true));

  async function shutDown(): Promise<void> {
    const agents = areAgentsStopped ? "All agents were stopped." : "Agents that run go on.";
    log.info(`Stopping. ${agents}`);
    for (const end of background) await end();
    await doors?.close();
    await auditLast(core);
    await composed.close();
    removeDaemonFile(dataDir);
    lock?.release();
  }

  await settleRestoredDatabase(core, loaded.config.store.url);
  background.push(await enterServers({ composed, loaded, url: () => doors?.url() ?? null }));
  const adopted = await recover(core, loaded);
  doors = await openDoors({
    adopted: adopted.promise,
    composed,
    loaded,
    log,
    socketPath,
    status,
    stopAgents: endAgents,
    reload: () => reloadConfig(composed),
    stop: () => setImmediate(() => void stopOnPurpose().then(() => process.exit(0))),
    port: await portToUse(options, loaded, composed),
    isStarted: () => started && stopping === undefined,
    conformance: options.conformance,
    background: options.background,
  });
  announceDaemon(dataDir, { ...(await status()), socketPath, background: options.background });
  await resume(composed, adopted.resolve);
  started = true;
  background.push(
    ...startBackground(composed, loaded, options),
    guardLock(dataDir, log, stop).stop,
  );
  if (options.background) {
    background.push(stopWhenIdle({ status, store: core.store, stop }).stop);
  }
  log.info("Ready.", { url: doors.url() ?? "none", socket: socketPath, pid: process.pid });
  const isForPrograms = logFile === null && loaded.config.log.format === "json";
  return { core, isForPrograms, status, stopAgents: endAgents, stop: stopOnPurpose };
}

/** A database that is away must not keep the daemon from stopping. */
function auditLast(core: Core): Promise<void> {
  return auditOmitted(core, "all").catch((error: unknown) => {
    core.log.warn("The last audit entries could not be written.", { error: String(error) });
  });
}

function startLog(loaded: LoadedConfig, options: Serve): Log {
  const log = openLog(loaded, options);
  for (const note of loaded.notes) log.info(note);
  requireOpenFiles(log);
  return log;
}

/** What must be done before the doors open. Returns what the adoption of agents resolves. */
async function recover(core: Core, loaded: LoadedConfig): Promise<PromiseWithResolvers<void>> {
  await settleAfterRestore(core, loaded.dataDir);
  if (loaded.config.store.url !== undefined) {
    await settleAfterRestore(core, loaded.dataDir, MOVED_MARK);
  }
  await recallRunnerProblems(core);
  await redeliverNotifications(core);
  // Before an agent can call again: it must find out that its last call may have taken effect.
  await recoverCalls(core, readOnlyTools(loaded));
  // Before anything new can happen: it must not be taken for history.
  await recordAlerts(core);
  const adopted = Promise.withResolvers<void>();
  if ((await countAgents(core)).live === 0) adopted.resolve();
  return adopted;
}

/** Goes on with what an earlier daemon left. */
async function resume(composed: Composed, adopted: () => void): Promise<void> {
  const { core } = composed;
  const resumed = await resumeAgents(core);
  // Agents that still run are followed now; the other files in the spool are whole.
  void resumeShipping(composed);
  // Agents whose process was gone before the last daemon could capture their change.
  for (const agentId of await listCapturingOf(core, core.serverId)) {
    core.provisioning.captureSoon(agentId);
  }
  await watchInterrupts(core);
  adopted();
  await resumeGroups(core);
  await stopOrphanedAgents(core);
  await resumeTasks(core);
  await moveToFallbacks(core);
  composed.startDispatching();
  composed.startGateway();
  if (resumed > 0) core.log.info("Looking after agents of an earlier daemon.", { agents: resumed });
}

/** Starts what runs beside the requests. Returns the functions that stop it. */
function startBackground(
  composed: Composed,
  { config }: LoadedConfig,
  { demo }: Serve,
): readonly (() => void | Promise<void>)[] {
  const { core } = composed;
  startHealthChecks(core);
  return [
    startApprovalClock(core).stop,
    startScheduleClock(core).stop,
    startAlertOutbox(core).stop,
    startAuditSummaries(core).stop,
    startMaintenance(core, config.history.keep_days).stop,
    watchWorkspaces(core).close,
    collectWhenIdle({ events: core.events, isBusy: () => isBusy(core) }).stop,
    // A demo ends when its terminal is closed.
    ...(demo ? [] : [reloadOnHangUp(composed).stop]),
  ];
}

async function stopAgents(composed: Composed): Promise<void> {
  await composed.stopDispatching();
  try {
    await stopAllAgents(composed.core);
  } catch (error) {
    // The daemon does not stop after an error, so it goes on starting agents.
    composed.startDispatching();
    throw error;
  }
}

/** Agents are found by these variables: stopping an agent must not stop a daemon started inside it. */
function forgetAgentAbove(): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("KUROMAJUTSU_AGENT_")) delete process.env[name];
  }
}

/**
 * Running agents call the address they were started with. While there are any, the port of the last
 * daemon is preferred, unless a port was named.
 */
async function portToUse(options: Serve, { config, dataDir }: LoadedConfig, { core }: Composed) {
  const { port } = config.dashboard;
  const isNamed = options.port !== undefined || Boolean(process.env["KUROMAJUTSU_PORT"]);
  if (isNamed && port !== 0) return { port, explicit: true };
  const { live } = await countAgents(core);
  const last = live > 0 ? lastPort(dataDir) : undefined;
  if (last === undefined) return { port, explicit: false };
  return { port: last, explicit: false, insistMs: KEEP_PORT_MS };
}

async function describeRunning(dataDir: string, socketPath: string): Promise<Texts> {
  const running = await askDaemon({ socketPath, dataDir }, "status").catch(() => undefined);
  const which = running ? ` (pid ${running.pid}${running.url ? `, ${running.url}` : ""})` : "";
  return {
    en: `A Kuromajutsu daemon already runs for ${dataDir}${which}. Use it, or end it with \`kuromajutsu stop\`.`,
    ja: `${dataDir} のデーモンはすでに動いています${which}。それを使うか、\`kuromajutsu stop\` で終了してください。`,
  };
}

async function isBusy(core: Core): Promise<boolean> {
  const { waiting, live } = await countAgents(core);
  return waiting + live > 0;
}
