import { expect, test } from "vitest";
import { createClientAddress } from "./client-address.ts";

const address = createClientAddress(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

test.each([
  ["without a proxy", "203.0.113.9", undefined, "203.0.113.9"],
  ["X-Forwarded-For of a stranger", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
  ["behind one proxy", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["behind two proxies", "10.1.2.3", "203.0.113.9, 192.0.2.7", "203.0.113.9"],
  ["an entry that the client has made up", "10.1.2.3", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
  ["a request of a proxy itself", "10.1.2.3", undefined, "10.1.2.3"],
  ["only proxies", "10.1.2.3", "10.9.9.9", "10.9.9.9"],
  ["a wrong entry", "10.1.2.3", "203.0.113.9, nonsense", "10.1.2.3"],
  ["an IPv4 client of an IPv6 socket", "::ffff:10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["an entry with a port", "10.1.2.3", "203.0.113.9:5000", "203.0.113.9"],
  ["an IPv6 entry with a port", "fd00::1", "[2001:db8::1]:5000", "2001:db8::1"],
  ["an IPv6 entry", "fd00::1", "2001:db8::1", "2001:db8::1"],
])("the address of a client: %s", (_, remote, forwarded, expected) => {
  expect(address(remote, forwarded)).toBe(expected);
});

test("without trusted proxies, X-Forwarded-For is never believed", () => {
  expect(createClientAddress([])("10.1.2.3", "203.0.113.9")).toBe("10.1.2.3");
  expect(createClientAddress([])(undefined, "203.0.113.9")).toBe("unknown");
});
