import type { Config } from "../../contract/config.ts";

/** What is built into the daemon when it starts; everything else is taken over as it runs. */
const AT_START: Readonly<Record<string, (config: Config) => unknown>> = {
  "dashboard.port": ({ dashboard }) => dashboard.port,
  // Used where people sign in.
  "dashboard.hosts": ({ dashboard, auth }) => (auth.users.length > 0 ? dashboard.hosts : []),
  "dashboard.origins": ({ dashboard }) => dashboard.origins,
  "agent.hardKillAfter_ms": ({ agent }) => agent.hardKillAfter_ms,
  "agent.maxSpool_bytes": ({ agent }) => agent.maxSpool_bytes,
  "agent.env": ({ agent }) => agent.env,
  "log.level": ({ log }) => log.level,
  "history.keep_days": ({ history }) => history.keep_days,
};

/** The names of those that are not as they were. */
export function changedSettings(atStart: Config, now: Config): readonly string[] {
  return Object.entries(AT_START)
    .filter(([, of]) => JSON.stringify(of(atStart)) !== JSON.stringify(of(now)))
    .map(([name]) => name);
}
