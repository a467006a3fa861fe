import { dirname, join } from "node:path";
import { createAgentEnvironment } from "../../adapters/agent-environment.ts";
import { createCheckCommand } from "../../adapters/check-command.ts";
import { createLazyConfigFile } from "../../adapters/config/lazy-config-file.ts";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { userConfigDir } from "../../adapters/config/locate.ts";
import { createHealthProbe } from "../../adapters/health/probe.ts";
import { createInProcessJobs } from "../../adapters/jobs/in-process-jobs.ts";
import { createPeople } from "../../adapters/people.ts";
import { createLazyTemplateFiles } from "../../adapters/templates/lazy-template-files.ts";
import { createWorkspaceTools } from "../../adapters/workspace-tools/create-workspace-tools.ts";
import { createDirectories, systemRandom, systemTokens } from "../../adapters/world.ts";
import { createClientKeys } from "../../app/agents/client-keys.ts";
import type { Core, HostOffer } from "../../app/core.ts";
import { createCallsInFlight } from "../../app/gateway/calls-in-flight.ts";
import { createToolPins } from "../../app/gateway/tool-pins.ts";
import { createHealth } from "../../app/health/health.ts";
import { createHostProblems } from "../../app/health/host-problems.ts";
import { createLive } from "../../app/live.ts";
import { createAuditLimit } from "../../app/people/audit-limit.ts";
import { createSeenClients } from "../../app/people/seen-clients.ts";
import type { Store } from "../../app/ports/store.ts";
import { createRoleEditing } from "../../app/roles/role-editing.ts";
import { isUsableOnWorkers, modelsOnWorkers } from "../../app/workers/connected-workers.ts";
import { modelsOnServers } from "../../app/workers/known-servers.ts";
import { commandName, shimCommand, templateFolder } from "../entries.ts";
import { VERSION } from "../version.ts";
import type { Compose } from "./compose-options.ts";
import type { Parts } from "./create-parts.ts";
import { createTrust } from "./create-trust.ts";
import type { CurrentConfig } from "./current-config.ts";
import { serversInCore } from "./servers.ts";

type CreateCore = {
  readonly current: CurrentConfig;
  readonly parts: Parts;
  readonly alertTargets: Core["alertTargets"];
  readonly reload: () => Promise<void>;
};

export function createCore(options: Compose, made: CreateCore): Core {
  const { current, parts, alertTargets, reload } = made;
  const { loaded, log, socketPath, mcpUrl } = options;
  const { store, events, runners } = parts;
  const environment = createAgentEnvironment({
    variables: process.env,
    extraNames: loaded.config.agent.env,
    runners,
    mcpUrl,
    socketPath,
    shimCommand: shimCommand(),
    commandName: commandName(),
  });
  return {
    store,
    ...serversInCore(parts),
    ...(parts.servers && {
      sessions: parts.sessions,
      hostProblems: createHostProblems(parts.clock),
    }),
    offer: current.offer,
    clock: parts.clock,
    random: systemRandom,
    log,
    ...(parts.telemetry && { telemetry: parts.telemetry }),
    events,
    live: createLive(systemRandom.hex(8), events),
    tokens: systemTokens,
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
    auditLimit: createAuditLimit(parts.clock),
    health: createHealthAmongHosts(parts, current.offer),
    ...filesAndPrograms(loaded, parts.servers && store),
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

/** Other hosts may have a CLI or a model that this server has not got. */
function createHealthAmongHosts(
  { clock, servers, workers }: Pick<Parts, "clock" | "servers" | "workers">,
  offer: HostOffer,
): Core["health"] {
  return createHealth(
    clock,
    (runner) => workers !== undefined && isUsableOnWorkers(workers, runner, clock.now()),
    (runner) =>
      workers && {
        runsAgents: offer.slots() !== 0,
        lists: [
          ...modelsOnWorkers(workers, runner),
          ...(servers ? modelsOnServers(servers, runner) : []),
        ],
      },
  );
}

/** What use cases reach of this machine. */
function filesAndPrograms(
  loaded: LoadedConfig,
  sharedStore: Store | undefined,
): Pick<Core, "directories" | "healthProbe" | "templates" | "workspaceTools"> {
  const { config, dataDir } = loaded;
  return {
    directories: createDirectories(join(dataDir, "sample")),
    healthProbe: createHealthProbe({
      graceMs: config.agent.hardKillAfter_ms,
      directory: join(dataDir, "probes"),
    }),
    templates: createLazyTemplateFiles(
      {
        builtin: templateFolder(),
        user: join(userConfigDir(process.env), "templates"),
        folder: join(dirname(loaded.file), "templates"),
      },
      sharedStore,
    ),
    workspaceTools: createWorkspaceTools({
      variables: process.env,
      extraNames: config.agent.env,
    }),
  };
}
