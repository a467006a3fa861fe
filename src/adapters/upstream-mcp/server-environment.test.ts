import { expect, test } from "vitest";
import { serverEnvironment } from "./server-environment.ts";

test("an upstream server inherits directories for temporary files, but no SSH agent and no key", () => {
  const variables = { TEMP: "/t", TMP: "/t", TERM: "xterm", SSH_AUTH_SOCK: "/ssh", MY_KEY: "k" };
  expect(serverEnvironment(variables, {})).toEqual({ TEMP: "/t", TMP: "/t" });
});
