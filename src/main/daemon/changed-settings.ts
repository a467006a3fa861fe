import type { Config } from "../../contract/config/schema.ts";

type Settings = Omit<Config, "store"> & { readonly store: Omit<Config["store"], "urlFile"> };

/** Settings that are read once, at the start. A reload applies all others. */
const AT_START: Readonly<Record<string, (config: Settings) => unknown>> = {
  "server.bind": ({ server }) => server.bind,
  "server.trustedProxies": ({ server }) => server.trustedProxies,
  "dashboard.port": ({ dashboard }) => dashboard.port,
  // Ignored unless people sign in.
  "dashboard.hosts": ({ dashboard, auth }) => (auth.users.length > 0 ? dashboard.hosts : []),
  "dashboard.origins": ({ dashboard }) => dashboard.origins,
  "agent.hardKillAfter_ms": ({ agent }) => agent.hardKillAfter_ms,
  "agent.maxOutput_mb": ({ agent }) => agent.maxOutput_mb,
  "agent.maxSpool_bytes": ({ agent }) => agent.maxSpool_bytes,
  "agent.acpCommand": ({ agent }) => agent.acpCommand,
  "agent.env": ({ agent }) => agent.env,
  "slack.mode": ({ slack }) => slack.mode,
  "slack.publicUrl": ({ slack }) => slack.publicUrl,
  "telemetry.otlpEndpoint": ({ telemetry }) => telemetry.otlpEndpoint,
  "telemetry.serviceName": ({ telemetry }) => telemetry.serviceName,
  "telemetry.interval_ms": ({ telemetry }) => telemetry.interval_ms,
  "log.level": ({ log }) => log.level,
  "log.format": ({ log }) => log.format,
  "log.file": ({ log }) => log.file,
  "log.maxSize_mb": ({ log }) => log.maxSize_mb,
  "log.keepFiles": ({ log }) => log.keepFiles,
  "store.url": ({ store }) => store.url,
  "store.connections": ({ store }) => store.connections,
  "store.lease_ms": ({ store }) => store.lease_ms,
  "history.keep_days": ({ history }) => history.keep_days,
};

/** The names of the settings that need a restart and have changed. */
export function changedSettings(atStart: Settings, now: Settings): readonly string[] {
  return Object.entries(AT_START)
    .filter(([, of]) => JSON.stringify(of(atStart)) !== JSON.stringify(of(now)))
    .map(([name]) => name);
}
