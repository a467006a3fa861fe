import { join } from "node:path";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { SpoolShipper } from "../../adapters/supervisor/spool/ship-spool.ts";
import { createSupervisor } from "../../adapters/supervisor/supervisor.ts";
import { systemClock } from "../../adapters/world.ts";
import type { Runner } from "../../app/ports/runner.ts";
import type { Observer, Supervisor } from "../../app/ports/supervisor.ts";
import type { Log } from "../../app/ports/world.ts";
import type { SharedClock } from "../../app/servers/shared-clock.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import { launcherCommand } from "../entries.ts";
import { requireRunner } from "./create-runners.ts";
import { maxOutputBytes } from "./settings-of.ts";

export type OpenSupervisor = {
  readonly loaded: LoadedConfig;
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly observe: Observer;
  readonly log: Log;
  /** Sends output of agents to where other servers read it; undefined: there are none. */
  readonly shipper: SpoolShipper | undefined;
  readonly sharedClock: SharedClock | undefined;
};

export async function openSupervisor(options: OpenSupervisor): Promise<Supervisor> {
  const { loaded, runners, observe, log, shipper, sharedClock } = options;
  const { agent } = loaded.config;
  const settings = {
    spoolDir: spoolIn(loaded),
    launcher: { command: launcherCommand() },
    runners: (id: RunnerId) => requireRunner(runners, id),
    observe,
    log,
    clock: systemClock,
    graceMs: agent.hardKillAfter_ms,
    maxSpoolBytes: maxOutputBytes(agent),
  };
  if (!shipper || !sharedClock) return createSupervisor(settings);
  const { createShippingSupervisor } =
    await import("../../adapters/supervisor/shipping-supervisor.ts");
  return createShippingSupervisor(settings, shipper, () => sharedClock.offsetMs());
}

export function spoolIn({ dataDir }: LoadedConfig): string {
  return join(dataDir, "spool");
}
