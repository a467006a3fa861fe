import { BlockList, isIP } from "node:net";

/**
 * Addresses that answer every program of a machine with its credentials (cloud metadata), and other
 * link-local ones. A name that resolves to one of them is most likely an attack.
 */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet("169.254.0.0", 16, "ipv4");
FORBIDDEN.addSubnet("fe80::", 10, "ipv6");
for (const metadata of ["100.100.100.200", "168.63.129.16", "192.0.0.192"]) {
  FORBIDDEN.addAddress(metadata, "ipv4");
}
for (const metadata of ["fd00:ec2::254", "fd20:ce::254"]) FORBIDDEN.addAddress(metadata, "ipv6");
// The same link-local addresses behind NAT64 and 6to4.
FORBIDDEN.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
FORBIDDEN.addSubnet("2002:a9fe::", 32, "ipv6");

export function isForbidden(address: string, allowed: readonly string[]): boolean {
  return isIn(FORBIDDEN, address) && !isIn(listOf(allowed), address);
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return list;
}
