import { existsSync } from "node:fs";
import { loadConfig, type LoadedConfig } from "../../adapters/config/load-config.ts";
import { findConfigFile, type FoundConfig, socketPathFor } from "../../adapters/config/locate.ts";
import { createLog } from "../../adapters/log.ts";
import { acquireLock } from "../../adapters/store/lock.ts";
import { resumeAgents } from "../../app/agents/resume-agents.ts";
import { stopAllAgents } from "../../app/agents/stop-all-agents.ts";
import { stopOrphanedAgents } from "../../app/agents/stop-orphaned-agents.ts";
import { startApprovalClock } from "../../app/approvals/approval-clock.ts";
import type { Core } from "../../app/core.ts";
import { recoverCalls } from "../../app/gateway/recover-calls.ts";
import { resumeGroups } from "../../app/groups/resume-groups.ts";
import { startHealthChecks } from "../../app/health/check-health.ts";
import { redeliverNotifications } from "../../app/notifications/redeliver-notifications.ts";
import { auditOmitted, startAuditSummaries } from "../../app/people/audit-limit.ts";
import { untrustedOf } from "../../app/people/untrusted.ts";
import { whyRehearsalOnly, type RehearsalReason } from "../../app/roles/rehearsal-only.ts";
import { cliNames } from "../../app/roles/resolve-runner.ts";
import { announceConfig } from "../../app/roles/save-roles.ts";
import { watchInterrupts } from "../../app/tasks/interrupt/watch-interrupts.ts";
import { resumeTasks } from "../../app/tasks/task-advancer.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { VERSION } from "../version.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { compose, type Composed } from "./compose.ts";
import { lastPort, rememberPort, removeDaemonFile, writeDaemonFile } from "./daemon-file.ts";
import { openDoors, type Doors } from "./doors.ts";
import { guardLock } from "./guard-lock.ts";
import { startMaintenance } from "./maintenance.ts";
import { requireOpenFiles } from "./open-files-limit.ts";
import { stopWhenIdle } from "./stop-when-idle.ts";

const KEEP_PORT_MS = 3_000;

export type Serve = {
  /** Started by a shim: ends by itself when nobody needs it. */
  readonly background: boolean;
  readonly port: number | undefined;
  /**
   * The file that the client that starts us has found by searching; null: it has found none.
   * undefined: the daemon searches itself.
   */
  readonly foundConfig: string | null | undefined;
  /** Adds what the MCP conformance suite looks for; never in normal use. */
  readonly conformance: boolean;
};

/** Another daemon has this data directory. */
export class AlreadyRunning extends Error {}

export type Daemon = {
  readonly status: () => Promise<DaemonStatus>;
  /** For the banner; undefined where agents do real work. */
  readonly rehearsal: () => Promise<
    { readonly why: RehearsalReason; readonly clis: string } | undefined
  >;
  stop(): Promise<void>;
};

/** Starts the daemon; rejects with a sentence for the user when it cannot. */
export async function serve(options: Serve): Promise<Daemon> {
  const startedAt = new Date().toISOString();
  forgetTheAgentAbove();
  const source = sourceOf(options);
  const loaded = await loadConfig({
    path: source?.path,
    explicit: source?.explicit ?? false,
    found: source?.explicit === false,
    env: envOf(options),
  });
  const log = createLog(loaded.config.log.level, (line) => process.stderr.write(line));
  for (const note of loaded.notes) log.info(note);
  requireOpenFiles(log);
  const { dataDir } = loaded;
  const socketPath = socketPathFor(dataDir, process.env);
  const lock = acquireLock(dataDir);
  if (!lock) throw new AlreadyRunning(await describeRunning(dataDir, socketPath));

  let doors: Doors | undefined;
  let stopping: Promise<void> | undefined;
  const background: (() => void)[] = [];
  const composed = await compose({
    loaded,
    log,
    socketPath,
    mcpUrl: () => doors?.mcpUrl() ?? null,
    reloadConfig: () =>
      loadConfig({
        path: loaded.path ?? undefined,
        explicit: false,
        found: source?.explicit === false,
        env: envOf(options),
      }),
    needsTrust: source?.explicit === false && loaded.path !== null,
    storeLost(message) {
      log.error(`${message} Stopping; agents go on.`);
      void stop().finally(() => process.exit(1));
    },
    toolsChanged: () => doors?.toolsChanged(),
  });
  const { core } = composed;

  const status = async (): Promise<DaemonStatus> => ({
    pid: process.pid,
    version: VERSION,
    url: doors?.url() ?? null,
    dataDir,
    configPath: loaded.path ?? (existsSync(loaded.file) ? loaded.file : null),
    startedAt,
    agents: await countAgents(core),
    tasks: await countTasks(core),
    clients: doors?.clientCount() ?? 0,
    untrusted: untrustedOf(core.trust?.now() ?? null),
  });
  const stop = (): Promise<void> => (stopping ??= shutDown());

  async function shutDown(): Promise<void> {
    log.info("Stopping. Agents that are still running go on.");
    for (const end of background) end();
    await doors?.close();
    await auditOmitted(core, "all");
    await composed.close();
    removeDaemonFile(dataDir);
    lock?.release();
  }

  const adopted = Promise.withResolvers<void>();
  if ((await countAgents(core)).live === 0) adopted.resolve();
  await redeliverNotifications(core);
  // Before an agent can call again: it must find out that its last call may have taken effect.
  await recoverCalls(core, ({ server, tool }) => isReadOnly(loaded, server, tool));
  doors = await openDoors({
    adopted: adopted.promise,
    core,
    loaded,
    log,
    socketPath,
    status,
    stopAgents: async () => {
      await composed.stopDispatching();
      try {
        await stopAllAgents(core);
      } catch (error) {
        // The daemon stays, so it goes on with its work.
        composed.startDispatching();
        throw error;
      }
    },
    reload: () => takeOverConfig(composed),
    stop: () => setImmediate(() => void stop().then(() => process.exit(0))),
    port: await portToUse(options, loaded, composed),
    conformance: options.conformance,
    background: options.background,
  });
  writeDaemonFile(dataDir, { ...(await status()), socketPath });
  rememberPort(dataDir, doors.url());
  const resumed = await resumeAgents(core);
  await watchInterrupts(core);
  adopted.resolve();
  await resumeGroups(core);
  await stopOrphanedAgents(core);
  await resumeTasks(core);
  composed.startDispatching();
  composed.startGateway();
  if (resumed > 0) log.info("Looking after agents of an earlier daemon.", { agents: resumed });
  startHealthChecks(core);
  background.push(startApprovalClock(core).stop);
  background.push(startAuditSummaries(core).stop);
  background.push(startMaintenance(core, loaded.config.history.keep_days).stop);
  background.push(collectWhenIdle({ live: core.live, isBusy: () => isBusy(core) }).stop);
  background.push(reloadOnHangUp(composed).stop);
  background.push(guardLock(dataDir, log, stop).stop);
  if (options.background) background.push(stopWhenIdle(status, stop).stop);
  log.info("Ready.", { url: doors.url() ?? "none", socket: socketPath, pid: process.pid });
  const rehearsal = async () => {
    const why = await whyRehearsalOnly(core);
    return why && { why, clis: cliNames(core) };
  };
  return { status, rehearsal, stop };
}

/** Started from inside an agent, the daemon is not part of it: a stop of that agent must not find us. */
function forgetTheAgentAbove(): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("KUROMAJUTSU_AGENT_")) delete process.env[name];
  }
}

function isReadOnly({ config }: LoadedConfig, server: string, tool: string): boolean {
  return config.mcpServers[server]?.tools[tool]?.readOnly === true;
}

function envOf({ port }: Serve) {
  return {
    ...process.env,
    ...(port === undefined ? {} : { KUROMAJUTSU_PORT: String(port) }),
  };
}

function sourceOf(options: Serve): FoundConfig | undefined {
  const { foundConfig } = options;
  if (foundConfig === null) return undefined;
  if (foundConfig !== undefined) return { path: foundConfig, explicit: false };
  return findConfigFile(process.cwd(), envOf(options));
}

/**
 * Agents that are still running know the address they were started with: unless a port was asked
 * for by name, the last daemon's comes first while there are any.
 */
async function portToUse(options: Serve, { config, dataDir }: LoadedConfig, { core }: Composed) {
  const { port } = config.dashboard;
  const asked = options.port !== undefined || Boolean(process.env["KUROMAJUTSU_PORT"]);
  if (asked && port !== 0) return { port, explicit: true };
  const { live } = await countAgents(core);
  const last = live > 0 ? lastPort(dataDir) : undefined;
  if (last === undefined) return { port, explicit: false };
  return { port: last, explicit: false, insistMs: KEEP_PORT_MS };
}

async function describeRunning(dataDir: string, socketPath: string): Promise<string> {
  const running = await askDaemon({ socketPath, dataDir }, "status").catch(() => undefined);
  const who = running ? ` (pid ${running.pid}${running.url ? `, ${running.url}` : ""})` : "";
  return `A Kuromajutsu daemon already runs for ${dataDir}${who}. Use it, or end it with \`kuromajutsu stop\`.`;
}

async function countAgents(core: Core): Promise<DaemonStatus["agents"]> {
  const { waiting, live, liveOrchestrators, liveReserved } = await core.store.countByProcess();
  return { waiting, live: live + liveOrchestrators + liveReserved };
}

async function countTasks(core: Core): Promise<DaemonStatus["tasks"]> {
  const counts = await core.store.countTasks();
  const over = counts.completed + counts.failed + counts.cancelled;
  const unfinished = Object.values(counts).reduce((sum, count) => sum + count, 0) - over;
  return { unfinished, approvals: await core.store.countPendingApprovals() };
}

async function isBusy(core: Core): Promise<boolean> {
  const { waiting, live } = await countAgents(core);
  return waiting + live > 0;
}

/** SIGHUP reads the configuration again; a wrong one changes nothing. */
function reloadOnHangUp(composed: Composed): { readonly stop: () => void } {
  let isOver = false;
  async function reload(): Promise<void> {
    if (isOver) return;
    try {
      await takeOverConfig(composed);
    } catch (error) {
      composed.core.log.error(`The configuration was not taken over. ${String(error)}`);
    }
  }
  process.on("SIGHUP", () => void reload());
  // Not taken off: without a listener the signal would end us in the middle of ending.
  return { stop: () => void (isOver = true) };
}

async function takeOverConfig(composed: Composed): Promise<readonly string[]> {
  const { core } = composed;
  await composed.reload();
  startHealthChecks(core);
  await announceConfig(core, { change: "reloaded", hash: core.editing?.loadedHash() ?? "" });
  const waiting = composed.waitingForRestart();
  core.log.info("The configuration was read again and is in use now.");
  if (waiting.length > 0) {
    core.log.warn(`Changed, and in use after a restart: ${waiting.join(", ")}.`);
  }
  return waiting;
}
