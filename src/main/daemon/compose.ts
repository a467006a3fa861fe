import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createAgentEnvironment } from "../../adapters/agent-environment.ts";
import { createCheckCommand } from "../../adapters/check-command.ts";
import { createLazyConfigFile } from "../../adapters/config/lazy-config-file.ts";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { taskSettingsOf } from "../../adapters/config/task-settings.ts";
import { createHealthProbe } from "../../adapters/health/probe.ts";
import { createPeople } from "../../adapters/people.ts";
import { createCursorRunner } from "../../adapters/runners/cursor/runner.ts";
import { createRehearsalRunner } from "../../adapters/runners/rehearsal/runner.ts";
import { openAuditAnchor, type FileAuditAnchor } from "../../adapters/store/audit-anchor.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { createSupervisor } from "../../adapters/supervisor/supervisor.ts";
import { createUpstream } from "../../adapters/upstream-mcp/upstream.ts";
import {
  systemClock,
  systemDirectories,
  systemRandom,
  systemTokens,
} from "../../adapters/world.ts";
import { createClientKeys } from "../../app/agents/client-keys.ts";
import { createDeadlines } from "../../app/agents/deadlines.ts";
import { createDispatcher } from "../../app/agents/dispatcher.ts";
import { reactToSettled } from "../../app/agents/react-to-settled.ts";
import { recordObservations } from "../../app/agents/record-observations.ts";
import type { Core, Settings } from "../../app/core.ts";
import { createCallsInFlight } from "../../app/gateway/calls-in-flight.ts";
import { watchUpstream } from "../../app/gateway/pin-tools.ts";
import { createToolPins } from "../../app/gateway/tool-pins.ts";
import { createHealth } from "../../app/health/health.ts";
import { createLive } from "../../app/live.ts";
import { createAuditLimit } from "../../app/people/audit-limit.ts";
import { auditTrust } from "../../app/people/audit-trust.ts";
import { explainUntrusted, untrustedOf } from "../../app/people/untrusted.ts";
import type { Runner } from "../../app/ports/runner.ts";
import type { Log } from "../../app/ports/world.ts";
import { createRoleEditing } from "../../app/roles/role-editing.ts";
import { createTaskAdvancer } from "../../app/tasks/task-advancer.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { Role, RoleTool } from "../../domain/roles/role.ts";
import { launcherCommand, rehearsalCommand } from "../entries.ts";
import { VERSION } from "../version.ts";
import { changedSettings } from "./changed-settings.ts";
import { refuseReload } from "./refuse-reload.ts";

export type Compose = {
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly socketPath: string;
  /** null until the HTTP door is open, and when it is closed for good. */
  readonly mcpUrl: () => string | null;
  /** The configuration file was found by searching. */
  readonly needsTrust: boolean;
  /** Reads the same configuration file again. */
  readonly reloadConfig: () => Promise<LoadedConfig>;
  /** The files of the store were deleted, replaced or truncated. */
  readonly storeLost: (message: string) => void;
  /** Roles have changed: clients may want to list the tools again. */
  readonly toolsChanged: () => void;
};

export type Composed = {
  readonly core: Core;
  /** Takes over the configuration as it is now; throws when it is wrong. */
  reload(): Promise<void>;
  /** What the configuration says by now and is not in use before the next start. */
  waitingForRestart(): readonly string[];
  /** Connects to the upstream servers in the background; nobody waits for them. */
  startGateway(): void;
  /** Until then agents only queue up. */
  startDispatching(): void;
  /** No further agent is started; those that run go on. */
  stopDispatching(): Promise<void>;
  close(): Promise<void>;
};

/** After these an agent's list of tools is another one. */
const TOOL_LIST_EVENTS = new Set(["gateway:tools_changed", "gateway:tool_accepted"]);

/** Where adapters and doors meet: builds the one Core. */
export async function compose(options: Compose): Promise<Composed> {
  const { loaded, log, socketPath, mcpUrl } = options;
  const { config, dataDir } = loaded;
  const runners = createRunners();
  const roles = new Map<string, Role>();
  const roleTools = new Map<string, RoleTool>();
  const internalRoles = new Map<string, Role>();
  let hash = loaded.hash;
  let { users } = loaded.config.auth;
  let latest = loaded;
  const settings = settingsOf(loaded);
  function useRoles(from: LoadedConfig): void {
    replaceAll(roles, from.roles);
    replaceAll(internalRoles, from.internalRoles);
    replaceAll(roleTools, from.tools);
    hash = from.hash;
    ({ users } = from.config.auth);
  }
  async function reload(): Promise<void> {
    const next = await options.reloadConfig();
    refuseReload(latest, next);
    await auditTrust(core, next.trust);
    useRoles(next);
    Object.assign(settings, settingsOf(next));
    upstream.replace(next.config.mcpServers);
    latest = next;
    warnOfUntrusted(log, next);
    options.toolsChanged();
    dispatcher.dispatchSoon();
  }
  useRoles(loaded);
  warnOfUntrusted(log, loaded);

  let auditAnchor: FileAuditAnchor | undefined;
  const store = await openStore({
    dataDir,
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
  const dispatcher = createDispatcher(() => core);
  const advancer = createTaskAdvancer(() => core);
  const upstream = createUpstream({
    servers: config.mcpServers,
    directory: homeOf(loaded),
    variables: process.env,
    version: VERSION,
    log,
  });
  const deadlines = createDeadlines(systemClock);
  const supervisor = createSupervisor({
    spoolDir: join(dataDir, "spool"),
    launcher: { command: launcherCommand() },
    runners: (id) => requireRunner(runners, id),
    observe: (batch) => recordObservations(core, batch),
    log,
    clock: systemClock,
    graceMs: config.agent.hardKillAfter_ms,
    maxSpoolBytes: config.agent.maxSpool_bytes,
  });
  const core: Core = {
    store,
    clock: systemClock,
    random: systemRandom,
    log,
    live: createLive(systemRandom.hex(8)),
    tokens: systemTokens,
    directories: systemDirectories,
    environment: createAgentEnvironment({
      variables: process.env,
      extraNames: config.agent.env,
      runners,
      mcpUrl,
      socketPath,
    }),
    settings,
    roles,
    internalRoles,
    people: createPeople(() => users),
    upstream,
    calls: createCallsInFlight(),
    auditAnchor,
    pins: createToolPins(store),
    roleTools,
    runners,
    supervisor,
    clientKeys: createClientKeys(),
    auditLimit: createAuditLimit(systemClock),
    health: createHealth(systemClock),
    healthProbe: createHealthProbe({
      graceMs: config.agent.hardKillAfter_ms,
      directory: join(dataDir, "probes"),
    }),
    version: VERSION,
    editing: createRoleEditing({
      configFile: createLazyConfigFile({
        path: loaded.file,
        ...(options.needsTrust && { trustedIn: process.env }),
      }),
      loadedHash: () => hash,
      reload,
    }),
    ...(options.needsTrust && {
      trust: {
        now: () => latest.trust,
        async trust(shownHash) {
          const { trustFile } = await import("../../adapters/config/inspect-trust.ts");
          await trustFile(loaded.file, process.env, shownHash);
        },
      },
    }),
    checkCommand: createCheckCommand(() => core.environment.forProbe("rehearsal")),
    deadlines,
    advanceSoon: advancer.advanceSoon,
    dispatchSoon: dispatcher.dispatchSoon,
  };
  await auditTrust(core, loaded.trust);
  const stopReacting = reactToSettled(core);
  const stopWatching: (() => void)[] = [];
  return {
    core,
    reload,
    waitingForRestart: () => changedSettings(config, latest.config),
    startGateway() {
      stopWatching.push(
        core.live.subscribe(({ type }) => {
          if (TOOL_LIST_EVENTS.has(type)) options.toolsChanged();
        }),
        watchUpstream(core),
      );
      upstream.start();
    },
    startDispatching: () => dispatcher.open(),
    stopDispatching: () => dispatcher.pause(),
    async close() {
      stopReacting();
      await core.health.close();
      deadlines.close();
      await advancer.close();
      for (const stop of stopWatching) stop();
      const disconnected = upstream.close();
      // The round under way may wait for the launcher, which only the supervisor can let go.
      const dispatched = dispatcher.close();
      await supervisor.close();
      await dispatched;
      await disconnected;
      await auditAnchor.close();
      await store.close();
    },
  };
}

function createRunners(): Map<RunnerId, Runner> {
  const all = [createCursorRunner(), createRehearsalRunner({ command: rehearsalCommand() })];
  return new Map(all.map((runner) => [runner.id, runner]));
}

function requireRunner(runners: ReadonlyMap<RunnerId, Runner>, id: RunnerId): Runner {
  const runner = runners.get(id);
  if (!runner) throw new Error(`There is no runner ${id} in this version.`);
  return runner;
}

function settingsOf(loaded: LoadedConfig): Settings {
  const { config } = loaded;
  const { agent } = config;
  return {
    runner: agent.runner,
    rehearseWithoutCli: agent.rehearseWithoutCli,
    maxConcurrent: agent.maxConcurrent,
    maxOrchestrators: agent.maxOrchestrators,
    maxQueued: agent.maxQueued,
    defaultTimeoutMs: agent.defaultTimeout_ms ?? null,
    lingerMs: agent.lingerAfterEnd_ms,
    healthCheck: {
      enabled: config.healthCheck.enabled,
      cacheTtlMs: config.healthCheck.cacheTtl_ms,
      timeoutMs: config.healthCheck.timeout_ms,
      concurrency: config.healthCheck.concurrency,
    },
    prices: config.prices,
    homeDirectory: homeOf(loaded),
    locale: config.locale,
    tasks: taskSettingsOf(config.tasks),
    interrupt: { hardStopAfterMs: config.interrupt.hardStopAfter_ms },
  };
}

function warnOfUntrusted(log: Log, { trust }: LoadedConfig): void {
  const untrusted = untrustedOf(trust);
  if (untrusted) log.warn(explainUntrusted(untrusted));
}

function homeOf({ path }: LoadedConfig): string {
  return path === null ? homedir() : dirname(path);
}

function replaceAll<Item extends { readonly id: string }>(
  map: Map<string, Item>,
  items: readonly Item[],
): void {
  map.clear();
  for (const item of items) map.set(item.id, item);
}
