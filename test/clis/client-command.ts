import { join } from "node:path";
import type { Cli } from "../kit/mock-llm/script.ts";
import { MODELS } from "./home.ts";
import { binOf } from "./installed.ts";

/** How a client reaches the daemon: it starts the shim, or it knows the address. */
export type Server = { readonly command: readonly string[] } | { readonly url: string };

export type ClientOptions = {
  readonly server: Server;
  /** How long the client waits for one call; without it its own default. */
  readonly limitMs?: number | undefined;
  /** A private folder, not below /tmp. */
  readonly folder: string;
};

export type ClientCommand = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly content: string }[];
};

/** How a person runs a CLI that has Kuromajutsu as an MCP server. The prompt goes to stdin. */
export function clientCommand(cli: Cli, options: ClientOptions): ClientCommand {
  const { args, env = {}, files = [] } = CLIENTS[cli](options);
  return { argv: [join(binOf(cli), cli), ...args], env, files };
}

type Parts = { readonly args: readonly string[] } & Partial<Omit<ClientCommand, "argv">>;

const CLIENTS: Readonly<Record<Cli, (options: ClientOptions) => Parts>> = {
  claude({ server, limitMs }) {
    const entry =
      "url" in server ? { type: "http", ...server } : { type: "stdio", ...split(server) };
    const kuromajutsu = { ...entry, alwaysLoad: true };
    return {
      args: [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--dangerously-skip-permissions",
        "--strict-mcp-config",
        "--mcp-config",
        JSON.stringify({ mcpServers: { kuromajutsu } }),
        "--model",
        MODELS.claude,
      ],
      env: {
        IS_SANDBOX: "1",
        ...(limitMs && { CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: String(limitMs) }),
      },
    };
  },

  codex({ server, limitMs }) {
    const { command, args } = "url" in server ? { command: "", args: [] } : split(server);
    const entry =
      "url" in server
        ? `url=${JSON.stringify(server.url)}`
        : `command=${JSON.stringify(command)},args=${JSON.stringify(args)}`;
    const limit = limitMs ? `,tool_timeout_sec=${limitMs / 1_000}` : "";
    return {
      args: [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-c",
        `mcp_servers.kuromajutsu={${entry},required=true${limit}}`,
        "-",
      ],
    };
  },

  gemini({ server, limitMs, folder }) {
    const path = join(folder, "settings.json");
    const entry = "url" in server ? { httpUrl: server.url } : split(server);
    const kuromajutsu = { ...entry, trust: true, ...(limitMs && { timeout: limitMs }) };
    return {
      args: ["--output-format", "stream-json", "--yolo", "--skip-trust", "-m", MODELS.gemini],
      env: { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_SYSTEM_SETTINGS_PATH: path },
      files: [{ path, content: JSON.stringify({ mcpServers: { kuromajutsu } }) }],
    };
  },

  opencode({ server, limitMs }) {
    const entry =
      "url" in server
        ? { type: "remote", url: server.url, oauth: false }
        : { type: "local", command: server.command };
    const kuromajutsu = { ...entry, enabled: true, ...(limitMs && { timeout: limitMs }) };
    return {
      args: ["run", "--format", "json"],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: "allow", mcp: { kuromajutsu } }),
      },
    };
  },
};

function split({ command: [command = "", ...args] }: { readonly command: readonly string[] }) {
  return { command, args };
}
