import { expect, test } from "vitest";
import { defaultConfig } from "../../contract/config/defaults.ts";
import type { Config } from "../../contract/config/schema.ts";
import { refuseReload } from "./refuse-reload.ts";

const SOMEBODY = { id: "ben", role: "admin" as const, tokenHash: "a".repeat(64) };

function loaded(users: Config["auth"]["users"] = [], isThere = true) {
  return {
    isThere,
    file: "/x/kuromajutsu.config.yaml",
    config: { ...defaultConfig(), auth: { users } },
  };
}

test("a reload is refused if the configuration file is missing", () => {
  expect(() => refuseReload(loaded(), loaded([], false))).toThrow(/not there any more/);
  expect(() => refuseReload(loaded([], false), loaded([], false))).not.toThrow();
});

test("a reload that would turn sign-in off is refused", () => {
  expect(() => refuseReload(loaded([SOMEBODY]), loaded())).toThrow(/sign in/);
  expect(() =>
    refuseReload(loaded([SOMEBODY]), loaded([{ ...SOMEBODY, id: "eva" }])),
  ).not.toThrow();
  expect(() => refuseReload(loaded(), loaded([SOMEBODY]))).not.toThrow();
});
