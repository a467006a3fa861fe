import { expect, test } from "vitest";
import { explainUntrusted, untrustedHint, untrustedOf } from "./untrusted.ts";

const FILE = {
  path: "/clone/kuromajutsu.config.yaml",
  hash: "h",
  powers: [
    { kind: "origin" as const, name: "http://evil.example", lines: [], isTrusted: false },
    { kind: "protection" as const, name: "log.level", lines: ["error"], isTrusted: false },
    { kind: "server" as const, name: "x", lines: [], isTrusted: true },
  ],
  rules: [],
  inUse: null,
  problem: null,
  command: "kuromajutsu trust /clone",
};

test("a person in a terminal learns what is not used, and the command", () => {
  const untrusted = untrustedOf(FILE);

  expect(untrusted?.notUsed).toEqual(["origin http://evil.example", "log.level"]);
  expect(untrusted && explainUntrusted(untrusted)).toContain("`kuromajutsu trust /clone`");
});

test("a model learns what is not used, but no command that would trust it", () => {
  const trust = { now: () => FILE, trust: () => Promise.resolve() };

  const hint = untrustedHint({ trust });

  expect(hint).toContain("origin http://evil.example, log.level");
  expect(hint).toContain("dashboard");
  expect(hint).not.toContain("kuromajutsu trust");
  expect(untrustedHint({})).toBe("");
});
