import { expect, test } from "vitest";
import { createAgentEnvironment } from "./agent-environment.ts";
import { createCursorRunner } from "./runners/cursor/runner.ts";

test("an agent inherits terminal, SSH agent, keys of its vendor and configured variables only", () => {
  const own = { TERM: "xterm", COLORTERM: "truecolor", SSH_AUTH_SOCK: "/ssh", CURSOR_API_KEY: "k" };
  const environment = createAgentEnvironment({
    variables: { ...own, MY_PROXY: "p", TEMP: "/t", TMP: "/t", OTHER_KEY: "o" },
    extraNames: ["MY_PROXY"],
    runners: new Map([["cursor", createCursorRunner()]]),
    mcpUrl: () => null,
    socketPath: "/s",
    shimCommand: ["/node", "/kuromajutsu.js", "mcp"],
    commandName: "kuromajutsu",
  });
  const { CURSOR_API_KEY: _key, ...common } = own;
  const ours = { MY_PROXY: "p", KUROMAJUTSU_SOCKET: "/s" };
  expect(environment.forProbe("cursor")).toEqual({ ...own, ...ours });
  expect(environment.forProbe("rehearsal")).toEqual({ ...common, ...ours });
});
