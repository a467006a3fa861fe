import { dirname, join } from "node:path";
import { createAgentEnvironment } from "../../adapters/agent-environment.ts";
import { createCheckCommand } from "../../adapters/check-command.ts";
import { createLazyConfigFile } from "../../adapters/config/lazy-config-file.ts";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { userConfigDir } from "../../adapters/config/locate.ts";
import { createGit } from "../../adapters/git/create-git.ts";
import { createHealthProbe } from "../../adapters/health/probe.ts";
import { createInProcessJobs } from "../../adapters/jobs/in-process-jobs.ts";
import { createPeople } from "../../adapters/people.ts";
import { openAuditAnchor, type FileAuditAnchor } from "../../adapters/store/audit-anchor.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { SpoolShipper } from "../../adapters/supervisor/spool/ship-spool.ts";
import { createLazyTemplateFiles } from "../../adapters/templates/lazy-template-files.ts";
import { createUpstream } from "../../adapters/upstream-mcp/upstream.ts";
import { createWorkspaceTools } from "../../adapters/workspace-tools/create-workspace-tools.ts";
import {
  systemClock,
  createDirectories,
  systemRandom,
  systemTokens,
} from "../../adapters/world.ts";
import { createClientKeys } from "../../app/agents/client-keys.ts";
import { createDeadlines } from "../../app/agents/deadlines.ts";
import { createDispatcher } from "../../app/agents/dispatcher.ts";
import { recordObservations } from "../../app/agents/record-observations.ts";
import type { Core } from "../../app/core.ts";
import { createEvents } from "../../app/events.ts";
import { createCallsInFlight } from "../../app/gateway/calls-in-flight.ts";
import { watchUpstream } from "../../app/gateway/pin-tools.ts";
import { createToolPins } from "../../app/gateway/tool-pins.ts";
import { createHealth } from "../../app/health/health.ts";
import { startJobs } from "../../app/jobs/start-jobs.ts";
import { createLive } from "../../app/live.ts";
import { createMergeQueue } from "../../app/merges/merge-queue.ts";
import { createAuditLimit } from "../../app/people/audit-limit.ts";
import { auditTrust } from "../../app/people/audit-trust.ts";
import { createSeenClients } from "../../app/people/seen-clients.ts";
import type { AlertTarget } from "../../app/ports/alert-target.ts";
import type { Servers } from "../../app/ports/servers.ts";
import type { Observer } from "../../app/ports/supervisor.ts";
import type { Transcripts } from "../../app/ports/transcripts.ts";
import type { Log } from "../../app/ports/world.ts";
import { reactToEvents } from "../../app/react-to-events.ts";
import { createRoleEditing } from "../../app/roles/role-editing.ts";
import { createTaskAdvancer } from "../../app/tasks/task-advancer.ts";
import { recordTelemetry } from "../../app/telemetry/record-telemetry.ts";
import { createWorkerSessions, type WorkerSessions } from "../../app/workers/worker-sessions.ts";
import { createProvisioning } from "../../app/workspaces/provisioning.ts";
import { commandName, shimCommand, templateFolder } from "../entries.ts";
import { VERSION } from "../version.ts";
import { createAlertTargets } from "./alert-targets.ts";
import { changedSettings } from "./changed-settings.ts";
import { createRunners } from "./create-runners.ts";
import { createTrust } from "./create-trust.ts";
import { createCurrentConfig, type CurrentConfig } from "./current-config.ts";
import { openSupervisor } from "./open-supervisor.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { refuseReload } from "./refuse-reload.ts";
import { type Leadership, openPlacedUpstream, openServersOf, serversInCore } from "./servers.ts";
import { homeOf } from "./settings-of.ts";
import { warnOfConfig } from "./warn-of-config.ts";

export type Compose = {
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly socketPath: string;
  /** null while the HTTP door is not open. */
  readonly mcpUrl: () => string | null;
  /** The configuration file was found by searching. */
  readonly needsTrust: boolean;
  /** Reads the same configuration file again. */
  readonly reloadConfig: () => Promise<LoadedConfig>;
  /** The files of the store were deleted, replaced or truncated. */
  readonly storeLost: (message: string) => void;
  /** Roles have changed, so clients should list the tools again. */
  readonly toolsChanged: () => void;
};

export type Composed = {
  readonly core: Core;
  /** Undefined: this daemon has its database for itself. */
  readonly servers: Servers | undefined;
  readonly leadership: Leadership;
  readonly sessions: WorkerSessions;
  /** Undefined like `servers`. */
  readonly transcripts: Transcripts | undefined;
  /** Undefined like `servers`. */
  readonly shipper: SpoolShipper | undefined;
  /** The newest configuration. */
  config(): LoadedConfig["config"];
  /** Loads the configuration again; rejects, and changes nothing, if it is wrong. */
  reload(): Promise<void>;
  /** Settings that have changed in the file and are used from the next start on. */
  waitingForRestart(): readonly string[];
  addAlertTarget(kind: string, target: AlertTarget): void;
  /** Connects to the upstream servers in the background. */
  startGateway(): void;
  /** Before this call agents are queued and not started. */
  startDispatching(): void;
  /** Starts no further agent; running agents go on. */
  stopDispatching(): Promise<void>;
  close(): Promise<void>;
};

/** Events that change the list of tools of an agent. */
const TOOL_LIST_EVENTS = ["gateway:tools_changed", "gateway:tool_accepted"] as const;

/** Where adapters and doors meet: builds the one Core. */
export async function compose(options: Compose): Promise<Composed> {
  const { loaded, log } = options;
  const current = createCurrentConfig(loaded);
  warnOfConfig(log, loaded);
  const parts = await createParts(options, () => core);
  const { dispatcher, advancer, upstream } = parts;
  const alertTargets = createAlertTargets(parts.events, current);
  const core = createCore(options, { current, parts, alertTargets, reload });
  async function reload(): Promise<void> {
    const next = await options.reloadConfig();
    refuseReload(current.latest(), next);
    await auditTrust(core, next.trust);
    current.use(next);
    upstream.replace(next.config.mcpServers);
    warnOfConfig(log, next);
    options.toolsChanged();
    core.dispatchSoon();
  }
  await auditTrust(core, loaded.trust);
  const stopReacting = reactToEvents(core);
  const stopJobs = startJobs(core);
  const stopRecording = parts.telemetry && recordTelemetry(core, parts.telemetry);
  const stopWatching: (() => void)[] = [];
  return {
    core,
    servers: parts.servers,
    leadership: parts.leadership,
    sessions: parts.sessions,
    transcripts: parts.transcripts,
    shipper: parts.shipper,
    config: () => current.latest().config,
    reload,
    addAlertTarget: (kind, target) => void alertTargets.set(kind, target),
    waitingForRestart: () => changedSettings(loaded.config, current.latest().config),
    startGateway() {
      stopWatching.push(
        core.events.on(TOOL_LIST_EVENTS, () => options.toolsChanged()),
        watchUpstream(core),
      );
      upstream.start();
    },
    startDispatching() {
      dispatcher.open();
      parts.mergeQueue.open();
    },
    stopDispatching: () => dispatcher.pause(),
    async close() {
      stopReacting();
      await stopJobs();
      stopRecording?.();
      // The last metrics read the store, so it is closed after them.
      const telemetryClosed = parts.telemetry?.close();
      await core.health.close();
      parts.deadlines.close();
      await advancer.close();
      for (const stop of stopWatching) stop();
      const disconnected = upstream.close();
      // A dispatch under way may be waiting for the launcher, which only the supervisor can end.
      const dispatched = dispatcher.close();
      await parts.provisioning.close();
      await parts.mergeQueue.close();
      await parts.supervisor.close();
      await dispatched;
      await disconnected;
      await telemetryClosed;
      await parts.shared?.close();
      await parts.workers?.close();
      await parts.transcripts?.close();
      await parts.auditAnchor.close();
      await parts.store.close();
    },
  };
}

type Parts = Awaited<ReturnType<typeof createParts>>;

/** Everything that is closed with the daemon. */
async function createParts(options: Compose, core: () => Core) {
  const { loaded, log } = options;
  const { config, dataDir } = loaded;
  const runners = createRunners(config.agent);
  let auditAnchor: FileAuditAnchor | undefined;
  const store = await openStore({
    dataDir,
    settings: config.store,
    log,
    onCommit: () => auditAnchor?.soon(),
    onLost: options.storeLost,
  });
  auditAnchor = openAuditAnchor({
    dataDir,
    keyFile: process.env["KUROMAJUTSU_AUDIT_KEY_FILE"],
    log,
    store,
    mayCreate: true,
  });
  await auditAnchor.start();
  const local = createUpstream({
    servers: config.mcpServers,
    directory: homeOf(loaded),
    variables: process.env,
    version: VERSION,
    log,
  });
  const opened = await openServersOf(loaded, log);
  const { shipper } = opened;
  const observe: Observer = (batch) => recordObservations(core(), batch);
  const supervisor = await openSupervisor({ loaded, runners, observe, log, shipper });
  return {
    runners,
    store,
    sessions: createWorkerSessions(),
    ...opened,
    events: createEvents({ store, log }),
    auditAnchor,
    dispatcher: createDispatcher(core),
    provisioning: createProvisioning(core),
    mergeQueue: createMergeQueue(core),
    git: createGit({ directory: join(dataDir, "git"), environment: process.env }),
    advancer: createTaskAdvancer(core),
    ...(await openPlacedUpstream(loaded, local, log)),
    deadlines: createDeadlines(systemClock),
    supervisor,
    telemetry: await openTelemetry(config.telemetry, log),
  };
}

type CreateCore = {
  readonly current: CurrentConfig;
  readonly parts: Parts;
  readonly alertTargets: Core["alertTargets"];
  readonly reload: () => Promise<void>;
};

function createCore(options: Compose, made: CreateCore): Core {
  const { current, parts, alertTargets, reload } = made;
  const { loaded, log, socketPath, mcpUrl } = options;
  const { config, dataDir } = loaded;
  const { store, events, runners } = parts;
  const environment = createAgentEnvironment({
    variables: process.env,
    extraNames: config.agent.env,
    runners,
    mcpUrl,
    socketPath,
    shimCommand: shimCommand(),
    commandName: commandName(),
  });
  return {
    store,
    ...serversInCore(parts),
    offer: current.offer,
    clock: systemClock,
    random: systemRandom,
    log,
    ...(parts.telemetry && { telemetry: parts.telemetry }),
    events,
    live: createLive(systemRandom.hex(8), events),
    tokens: systemTokens,
    directories: createDirectories(join(dataDir, "sample")),
    environment,
    settings: current.settings,
    roles: current.roles,
    internalRoles: current.internalRoles,
    people: createPeople(() => current.latest().config.auth.users),
    upstream: parts.upstream,
    calls: createCallsInFlight(parts.servers?.id),
    ...(parts.placement && { placement: parts.placement }),
    auditAnchor: parts.auditAnchor,
    pins: createToolPins(store),
    roleTools: current.roleTools,
    runners,
    supervisor: parts.servers ? parts.sessions.route(parts.supervisor) : parts.supervisor,
    git: parts.git,
    provisioning: parts.provisioning,
    alertTargets,
    clientKeys: createClientKeys(),
    seenClients: createSeenClients(),
    auditLimit: createAuditLimit(systemClock),
    health: createHealth(systemClock),
    healthProbe: createHealthProbe({
      graceMs: config.agent.hardKillAfter_ms,
      directory: join(dataDir, "probes"),
    }),
    templates: createLazyTemplateFiles({
      builtin: templateFolder(),
      user: join(userConfigDir(process.env), "templates"),
      folder: join(dirname(loaded.file), "templates"),
    }),
    workspaceTools: createWorkspaceTools({
      variables: process.env,
      extraNames: config.agent.env,
    }),
    version: VERSION,
    editing: createRoleEditing({
      configFile: createLazyConfigFile({
        path: loaded.file,
        ...(options.needsTrust && { trustedIn: process.env }),
      }),
      loadedHash: () => current.latest().hash,
      reload,
    }),
    ...(options.needsTrust && { trust: createTrust(loaded, current) }),
    checkCommand: createCheckCommand(() => environment.forProbe("rehearsal")),
    deadlines: parts.deadlines,
    jobs: store.jobs ?? createInProcessJobs(log),
    advanceTask: parts.advancer.advance,
    advanceSoon: parts.advancer.advanceSoon,
    dispatchSoon() {
      parts.dispatcher.dispatchSoon();
      parts.sessions.dispatchSoon();
    },
    mergeSoon: parts.mergeQueue.mergeSoon,
  };
}
