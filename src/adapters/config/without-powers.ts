import { defaultConfig } from "../../contract/config/defaults.ts";
import type { Config } from "../../contract/config/schema.ts";
import {
  alertsPower,
  bindPower,
  boardPower,
  historyPower,
  hostPower,
  killPower,
  labelsPower,
  logFilePower,
  logPower,
  logRotationPower,
  originPower,
  outputPower,
  personPower,
  type Power,
  programPower,
  proxiesPower,
  publicUrlPower,
  rolePower,
  serverPower,
  slackPersonPower,
  spoolPower,
  stopPower,
  storePower,
  telemetryPower,
  toolPower,
  unplannedPower,
  variablePower,
} from "./powers.ts";
import { restrictRole, withKnownTools } from "./restrict-roles.ts";
import { trustedWorkspace } from "./workspace-powers.ts";

/** No token has this hash. */
const NO_TOKEN = "0".repeat(64);

/**
 * The same configuration without the powers that are not trusted. Restrictions stay, so the result
 * never allows more than the built-in defaults: a person who is not trusted cannot sign in, but
 * signing in stays necessary.
 */
export function withoutPowers(config: Config, isTrusted: (power: Power) => boolean): Config {
  const defaults = defaultConfig();
  const may = (power: Power | undefined): boolean => power === undefined || isTrusted(power);
  const { maxOutput_mb, ...agent } = config.agent;
  const { publicUrl, ...slack } = config.slack;
  const { otlpEndpoint, ...telemetry } = config.telemetry;
  const tools = config.tools.filter((tool) => may(toolPower(tool)));
  return {
    ...config,
    server: {
      ...config.server,
      bind: may(bindPower(config)) ? config.server.bind : defaults.server.bind,
      trustedProxies: may(proxiesPower(config)) ? config.server.trustedProxies : [],
      labels: may(labelsPower(config)) ? config.server.labels : [],
    },
    dashboard: {
      ...config.dashboard,
      hosts: config.dashboard.hosts.filter((name) => may(hostPower(name))),
      origins: config.dashboard.origins.filter((name) => may(originPower(name))),
    },
    agent: {
      ...agent,
      ...(maxOutput_mb !== undefined && may(outputPower(config)) && { maxOutput_mb }),
      acpCommand: may(programPower(config)) ? config.agent.acpCommand : [],
      env: config.agent.env.filter((name) => may(variablePower(name))),
      hardKillAfter_ms: may(killPower(config))
        ? config.agent.hardKillAfter_ms
        : defaults.agent.hardKillAfter_ms,
      maxSpool_bytes: may(spoolPower(config))
        ? config.agent.maxSpool_bytes
        : defaults.agent.maxSpool_bytes,
    },
    log: trustedLog(config, may),
    history: may(historyPower(config)) ? config.history : defaults.history,
    interrupt: may(stopPower(config)) ? config.interrupt : defaults.interrupt,
    telemetry: {
      ...telemetry,
      ...(otlpEndpoint !== undefined && may(telemetryPower(config)) && { otlpEndpoint }),
    },
    store: may(storePower(config)) ? config.store : withoutAddress(config),
    tasks: {
      ...config.tasks,
      unplannedTools: may(unplannedPower(config))
        ? config.tasks.unplannedTools
        : defaults.tasks.unplannedTools,
    },
    workspace: trustedWorkspace(config, may),
    alerts: may(alertsPower(config)) ? config.alerts : withoutRules(config),
    mcpServers: Object.fromEntries(
      Object.entries(config.mcpServers).filter(([name, server]) => may(serverPower(name, server))),
    ),
    slack: {
      ...slack,
      ...(publicUrl !== undefined && may(publicUrlPower(config)) && { publicUrl }),
      people: config.slack.people.filter((entry) => may(slackPersonPower(entry))),
      boards: config.slack.boards.filter((board) => may(boardPower(board))),
    },
    auth: {
      users: config.auth.users.map((user) =>
        may(personPower(user)) ? user : { ...user, tokenHash: NO_TOKEN },
      ),
    },
    tools,
    roles: config.roles
      .flatMap((role) => (may(rolePower(role)) ? [role] : restrictRole(role)))
      .map((role) => withKnownTools(role, tools)),
  };
}

function trustedLog(config: Config, may: (power: Power | undefined) => boolean): Config["log"] {
  const { log } = defaultConfig();
  const { level, format, file, maxSize_mb, keepFiles } = config.log;
  const rotation = may(logRotationPower(config)) ? { maxSize_mb, keepFiles } : {};
  return {
    ...log,
    ...rotation,
    level: may(logPower(config)) ? level : log.level,
    format,
    ...(file !== undefined && may(logFilePower(config)) && { file }),
  };
}

function withoutRules({ alerts: { locale } }: Config): Config["alerts"] {
  return { ...defaultConfig().alerts, ...(locale && { locale }) };
}

function withoutAddress({ store: { connections, lease_ms } }: Config): Config["store"] {
  return { connections, lease_ms };
}
