import type { Fields } from "../../base/narrow.ts";
import { VENDOR_VARIABLES } from "../../contract/hello.ts";
import type { ClientId } from "../../contract/mcp-clients.ts";

/** One hour: a call may wait for agents or for a person. */
const CALL_TIMEOUT_S = 3_600;
const CALL_TIMEOUT_MS = CALL_TIMEOUT_S * 1_000;

/** The agent's token and the person's token; a client that has neither leaves them empty. */
const TOKENS = ["KUROMAJUTSU_AGENT_TOKEN", "KUROMAJUTSU_TOKEN"];
/** They decide which daemon is used or how it is started. */
const OWN_VARIABLES = [
  ...TOKENS,
  "KUROMAJUTSU_AGENT_ID",
  "KUROMAJUTSU_SOCKET",
  "KUROMAJUTSU_CONFIG",
  "KUROMAJUTSU_DATA_DIR",
  "KUROMAJUTSU_PORT",
  "XDG_STATE_HOME",
  "XDG_RUNTIME_DIR",
];

export type ClientEntry = {
  /** Where the entry is in the client's file. */
  readonly keys: readonly [section: string, name: string];
  readonly entry: Fields;
};

/** How each client starts our MCP server. The only description of these entries. */
export function clientEntry(client: ClientId, command: readonly string[]): ClientEntry {
  const [program, ...args] = command;
  const started = { command: program, args };
  switch (client) {
    case "cursor":
      // Agents that run in Cursor read the same file; their token tells them apart.
      return inSection("mcpServers", {
        ...started,
        env: passedOn(["KUROMAJUTSU_AGENT_TOKEN"], "env:"),
      });
    case "claude":
      // Without `alwaysLoad` the model has to search for our tools before it can call them.
      return inSection("mcpServers", {
        type: "stdio",
        ...started,
        timeout: CALL_TIMEOUT_MS,
        alwaysLoad: true,
      });
    case "codex":
      // Codex starts servers with an environment of a few variables and those that are named.
      return inSection("mcp_servers", {
        ...started,
        env_vars: [...OWN_VARIABLES, ...VENDOR_VARIABLES],
        tool_timeout_sec: CALL_TIMEOUT_S,
      });
    case "gemini":
      // Gemini removes variables whose names contain TOKEN, KEY or AUTH, unless they are named.
      return inSection("mcpServers", {
        ...started,
        env: passedOn([...TOKENS, ...VENDOR_VARIABLES], ""),
        timeout: CALL_TIMEOUT_MS,
      });
    case "vscode":
      return inSection("servers", { type: "stdio", ...started });
    case "opencode":
      return inSection("mcp", {
        type: "local",
        command: [...command],
        enabled: true,
        timeout: CALL_TIMEOUT_MS,
      });
  }
}

function inSection(section: string, entry: Fields): ClientEntry {
  return { keys: [section, "kuromajutsu"], entry };
}

/** References that the client replaces by the values of its own environment. */
function passedOn(names: readonly string[], prefix: "env:" | ""): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `\${${prefix}${name}}`]));
}
