import { BlockList, isIP } from "node:net";

export type ClientAddress = (
  remote: string | undefined,
  forwardedFor: string | null | undefined,
) => string;

/**
 * The address of the client. Any client can send X-Forwarded-For, so its entries are believed only
 * from right to left, as long as the sender of each is a trusted proxy.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = matcher(trustedProxies);
  return (remote, forwardedFor) => {
    if (remote === undefined) return "unknown";
    const hops = forwardedFor?.split(",") ?? [];
    let address = plain(remote);
    while (isTrusted(address)) {
      const next = addressIn(hops.pop());
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}

function matcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (address) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Some proxies add the port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function addressIn(entry: string | undefined): string | undefined {
  const text = entry?.trim().replace(/^\[(?<inside>.*)\](?::\d+)?$/, "$<inside>") ?? "";
  const withoutPort = isIP(text) === 0 ? text.replace(/:\d+$/, "") : text;
  return isIP(withoutPort) === 0 ? undefined : plain(withoutPort);
}

/** A server that listens on IPv6 sees IPv4 clients like this. */
function plain(address: string): string {
  const mapped = address.toLowerCase().startsWith("::ffff:") ? address.slice(7) : "";
  return isIP(mapped) === 4 ? mapped : address;
}
