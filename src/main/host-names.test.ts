import { expect, test } from "vitest";
import { configSchema } from "../contract/config.ts";
import { hostNames } from "./host-names.ts";

const OWN = ["localhost", "127.0.0.1", "[::1]"];
const hosts = ["kuromajutsu.example.com"];
const users = [{ id: "aoi", tokenHash: "0".repeat(64) }];
const addresses = () => ["127.0.0.1", "192.168.1.5", "fd00::1"];

test("without sign-in only this machine's own names are answered, whatever is configured", () => {
  const config = configSchema.parse({ dashboard: { hosts } });

  expect(hostNames({ bind: "0.0.0.0", config }, addresses)).toEqual(OWN);
});

test("with sign-in also the address we listen on and the configured names", () => {
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
