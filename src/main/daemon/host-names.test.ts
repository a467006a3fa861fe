import { expect, test } from "vitest";
import { configSchema } from "../../contract/config/schema.ts";
import { hostNames, origins } from "./host-names.ts";

const OWN = ["localhost", "127.0.0.1", "[::1]"];
const hosts = ["kuromajutsu.example.com"];
const users = [{ id: "aoi", tokenHash: "0".repeat(64) }];
const addresses = () => ["127.0.0.1", "192.168.1.5", "fd00::1"];

test("without sign-in only loopback host names are allowed, whatever is configured", () => {
  const config = configSchema.parse({ dashboard: { hosts } });

  expect(hostNames({ bind: "0.0.0.0", config }, addresses)).toEqual(OWN);
});

test("with sign-in the listening address and the configured host names are allowed too", () => {
  const config = configSchema.parse({ dashboard: { hosts }, auth: { users } });

  expect(hostNames({ bind: "127.0.0.1", config }, addresses)).toEqual([...OWN, ...hosts]);
  expect(hostNames({ bind: "fd00::1", config }, addresses)).toEqual([
    ...OWN,
    "[fd00::1]",
    ...hosts,
  ]);
  expect(hostNames({ bind: "0.0.0.0", config }, addresses)).toEqual([
    ...OWN,
    "192.168.1.5",
    "[fd00::1]",
    ...hosts,
  ]);
});

test("configured host names are compared in lower case, as browsers send them", () => {
  const config = configSchema.parse({
    dashboard: { hosts: ["Kuro.Example.com"] },
    auth: { users },
  });

  expect(hostNames({ bind: "127.0.0.1", config }, addresses)).toContain("kuro.example.com");
  expect(origins({ config })).toEqual(["https://kuro.example.com"]);
});

test("configured origins are always allowed, those of dashboard.hosts only with sign-in and HTTPS", () => {
  const dashboard = { hosts, origins: ["http://127.0.0.1:5173"] };

  expect(origins({ config: configSchema.parse({ dashboard }) })).toEqual(["http://127.0.0.1:5173"]);
  expect(origins({ config: configSchema.parse({ dashboard, auth: { users } }) })).toEqual([
    "http://127.0.0.1:5173",
    "https://kuromajutsu.example.com",
  ]);
});

test.each([
  "kuro.example.com",
  "https://kuro.example.com/",
  "https://kuro.example.com:443",
  "null",
])("%s is no origin", (origin) => {
  const parsed = configSchema.safeParse({ dashboard: { origins: [origin] } });

  expect(parsed.error?.message).toContain("an origin as a browser shows it");
});
