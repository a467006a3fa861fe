import { networkInterfaces } from "node:os";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const EVERY_ADDRESS = ["0.0.0.0", "::"];

/**
 * The names we answer to. A name that others chose could be made to point here (DNS rebinding), so
 * without sign-in it is this machine's own only; with it also where we listen, and what the
 * configuration names.
 */
export function hostNames(
  { bind, config }: Pick<LoadedConfig, "bind" | "config">,
  ownAddresses: () => readonly string[] = addresses,
): readonly string[] {
  if (config.auth.users.length === 0) return LOOPBACK_NAMES;
  const listening = EVERY_ADDRESS.includes(bind) ? ownAddresses() : [bind];
  return [...new Set([...LOOPBACK_NAMES, ...listening.map(inUrl), ...named(config)])];
}

/** Browsers send names in lower case. */
function named({ dashboard }: LoadedConfig["config"]): readonly string[] {
  return dashboard.hosts.map((name) => name.toLowerCase());
}

/**
 * Further origins a browser may show, each exactly. HTTPS in front of the daemon has one of the
 * configured names, and may not pass Host or X-Forwarded-Proto on.
 */
export function origins({ config }: Pick<LoadedConfig, "config">): readonly string[] {
  const proxied =
    config.auth.users.length === 0 ? [] : named(config).map((name) => `https://${name}`);
  return [...new Set([...config.dashboard.origins, ...proxied])];
}

function addresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []);
}

/** As it stands in a Host header: an address with colons is between brackets. */
export function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
