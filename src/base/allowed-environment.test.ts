import { expect, test } from "vitest";
import { allowedEnvironment } from "./allowed-environment.ts";

const COMMON =
  "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy LC_ALL XDG_CONFIG_HOME";

function all(names: string) {
  return Object.fromEntries(names.split(" ").map((name) => [name, `value of ${name}`]));
}

test("a child process inherits the variables that any program needs", () => {
  expect(allowedEnvironment(all(COMMON), [])).toEqual(all(COMMON));
});

test("a child process inherits no other variable unless it is added by name", () => {
  const others = all("KUROMAJUTSU_AGENT_TOKEN CURSOR_API_KEY SSH_AUTH_SOCK TEMP PATHS A_LC_ALL");
  expect(allowedEnvironment(others, [])).toEqual({});
  expect(allowedEnvironment(others, ["TEMP", "LACKING"])).toEqual(all("TEMP"));
});

test("a variable without a value is left out", () => {
  expect(allowedEnvironment({ PATH: undefined, HOME: "" }, [])).toEqual({ HOME: "" });
});
