import type { McpEntry, RunRequest } from "../../../app/ports/runner.ts";

/** A call may wait for a person's approval. */
const CALL_TIMEOUT_MS = 3_600_000;
/** The calls and files of the CLI's own sub-agents are not in its stream. */
const SUB_AGENTS = "invoke_agent";
const WRITING_TOOLS = ["write_file", "replace", "run_shell_command", SUB_AGENTS];
/** An allow-list: with it the CLI refuses every other tool, also those of MCP servers. */
const READING_TOOLS = [
  "list_directory",
  "read_file",
  "read_many_files",
  "glob",
  "grep_search",
  // The name of grep_search in older versions.
  "search_file_content",
  "google_web_search",
  "web_fetch",
  "write_todos",
  "update_topic",
  "activate_skill",
  "get_internal_docs",
  "list_mcp_resources",
  "read_mcp_resource",
];

/**
 * Settings of one run. They take precedence over the user's settings, so they say nothing about how
 * the user signs in.
 */
export function geminiSettings({ mcp, access, purpose }: RunRequest): object {
  const mayWrite = access === "read-write" && purpose !== "health-check";
  return {
    // The stream shows no retries. The default is 10 attempts, which take minutes.
    general: { maxAttempts: 6 },
    tools: {
      ...(mayWrite ? { exclude: [SUB_AGENTS] } : { core: READING_TOOLS, exclude: WRITING_TOOLS }),
      // An allow-list, ours or the user's, has to name the tools of our server too. Over ACP the CLI
      // compares a wrong name of the server, so its pattern is there for any server; ours is the only.
      allowed: mcp ? [`mcp_${mcp.name}_*`, "mcp_*"] : [],
    },
    // Otherwise the CLI searches the working directory for each word after an "@" of the prompt, and
    // appends the first file whose name contains it.
    context: { fileFiltering: { enableRecursiveFileSearch: false } },
    ...(mcp && { mcp: { allowed: [mcp.name] }, mcpServers: { [mcp.name]: serverOf(mcp) } }),
  };
}

function serverOf({ command, variables }: McpEntry): object {
  const [program, ...args] = command;
  return {
    command: program,
    args,
    // The CLI passes on no variable that looks like a secret, unless it is named here.
    env: Object.fromEntries(variables.map((name) => [name, `\${${name}}`])),
    trust: true,
    timeout: CALL_TIMEOUT_MS,
  };
}
