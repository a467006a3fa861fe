import { networkInterfaces } from "node:os";
import type { Config } from "../../contract/config/schema.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const EVERY_ADDRESS = ["0.0.0.0", "::"];

/**
 * The host names that requests may use. An attacker can make a name of their own point here (DNS
 * rebinding), so without sign-in only loopback names are allowed; with sign-in also the addresses we
 * listen on and the names in the configuration.
 */
export function hostNames(
  { bind, config }: { readonly bind: string; readonly config: Config },
  ownAddresses: () => readonly string[] = addresses,
): readonly string[] {
  if (config.auth.users.length === 0) return LOOPBACK_NAMES;
  const listening = EVERY_ADDRESS.includes(bind) ? ownAddresses() : [bind];
  return [...new Set([...LOOPBACK_NAMES, ...listening.map(hostInUrl), ...named(config)])];
}

/** Browsers send names in lower case. */
function named({ dashboard }: Config): readonly string[] {
  return dashboard.hosts.map((name) => name.toLowerCase());
}

/**
 * Further origins that are allowed, compared exactly. A reverse proxy with HTTPS has one of the
 * configured names, and may not forward Host or X-Forwarded-Proto.
 */
export function origins({ config }: { readonly config: Config }): readonly string[] {
  const proxied =
    config.auth.users.length === 0 ? [] : named(config).map((name) => `https://${name}`);
  return [...new Set([...config.dashboard.origins, ...proxied])];
}

function addresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []);
}

/** Addresses of the dashboard for other machines; none unless people sign in. */
export function addressesForOthers(
  { bind, config }: { readonly bind: string; readonly config: Pick<Config, "auth"> },
  port: string,
  ownAddresses: () => readonly string[] = outerAddresses,
): readonly string[] {
  if (config.auth.users.length === 0 || !EVERY_ADDRESS.includes(bind)) return [];
  return ownAddresses().map((address) => `http://${hostInUrl(address)}:${port}`);
}

/** Without IPv6: its addresses are long, several, and change. */
function outerAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).filter(({ internal, family }) => !internal && family === "IPv4").map(addressOf),
  );
}

const addressOf = ({ address }: { readonly address: string }) => address;

/** As in a Host header: an IPv6 address is in brackets. */
export function hostInUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
