import { join } from "node:path";
import { codexHostCommand } from "../../src/main/entries.ts";
import type { Cli } from "../kit/mock-llm/script.ts";
import { MODELS } from "./home.ts";
import { binOf } from "./installed.ts";

export type Bare = {
  /** The program of an MCP server and its arguments. */
  readonly mcp: readonly string[];
  readonly resume: string | undefined;
  /** A private folder, not below /tmp. */
  readonly folder: string;
};

type Command = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly content: string }[];
};

/** How a CLI is run without our daemon. */
export function commandOf(cli: Cli, bare: Bare): Command {
  const { args, env = {}, files = [] } = COMMANDS[cli](bare);
  return { argv: [join(binOf(cli), cli), ...args], env, files };
}

/** Codex with our host. What the app server prints is also written to `app-server.ndjson`. */
export function hostedCodex({ mcp, resume, folder }: Bare): Command {
  const tee = ["/bin/sh", "-c", `"$0" "$@" | tee ${join(folder, "app-server.ndjson")}`];
  return {
    argv: [
      ...codexHostCommand(),
      "--access=read-write",
      "--server=kuromajutsu",
      `--inbox=${join(folder, "inbox.ndjson")}`,
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      "--",
      ...tee,
      join(binOf("codex"), "codex"),
      "app-server",
      "-c",
      codexServer(mcp),
    ],
    env: {},
    files: [],
  };
}

type Parts = { readonly args: readonly string[] } & Partial<Omit<Command, "argv">>;

const COMMANDS: Readonly<Record<Cli, (bare: Bare) => Parts>> = {
  claude({ mcp: [command, ...args], resume }) {
    const kuromajutsu = { type: "stdio", command, args, alwaysLoad: true, timeout: 3_600_000 };
    return {
      args: [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        "--dangerously-skip-permissions",
        "--strict-mcp-config",
        "--mcp-config",
        JSON.stringify({ mcpServers: { kuromajutsu } }),
        "--model",
        MODELS.claude,
        ...(resume === undefined ? [] : ["--resume", resume]),
      ],
      // Claude Code refuses to skip permissions as root, unless it runs in a sandbox.
      env: { IS_SANDBOX: "1", CLAUDE_CODE_MAX_RETRIES: "2" },
    };
  },

  codex({ mcp, resume }) {
    return {
      args: [
        "exec",
        ...(resume === undefined ? [] : ["resume", resume]),
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-c",
        codexServer(mcp),
        "-",
      ],
    };
  },

  gemini({ mcp: [command, ...args], resume, folder }) {
    const path = join(folder, "settings.json");
    const kuromajutsu = { command, args, trust: true, timeout: 3_600_000 };
    return {
      args: [
        "--output-format",
        "stream-json",
        "--yolo",
        "--skip-trust",
        "-m",
        MODELS.gemini,
        ...(resume === undefined ? [] : ["--resume", resume]),
      ],
      env: { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_SYSTEM_SETTINGS_PATH: path },
      files: [{ path, content: JSON.stringify({ mcpServers: { kuromajutsu } }) }],
    };
  },

  opencode({ mcp: command, resume }) {
    const kuromajutsu = { type: "local", command, enabled: true, timeout: 3_600_000 };
    const config = { permission: "allow", mcp: { kuromajutsu } };
    return {
      args: ["run", "--format", "json", ...(resume === undefined ? [] : ["-s", resume])],
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
    };
  },
};

function codexServer([command, ...args]: readonly string[]): string {
  const server = `{command=${JSON.stringify(command)},args=${JSON.stringify(args)},required=true,tool_timeout_sec=3600}`;
  return `mcp_servers.kuromajutsu=${server}`;
}
