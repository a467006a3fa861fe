import { join } from "node:path";
import type { McpEntry, RunRequest } from "../../../app/ports/runner.ts";

/** A call may wait for a person's approval. */
const CALL_TIMEOUT_MS = 3_600_000;

type Permission = Readonly<Record<string, "allow" | "deny">>;

/**
 * The last matching rule wins. No rule may be "ask": without a person the CLI rejects the call and
 * ends the run, and in a sub-agent it waits forever. The calls, files and tokens of sub-agents
 * (`task`) are not in its stream.
 */
const WRITING: Permission = { "*": "allow", task: "deny", question: "deny" };
/** An allow-list, so that tools of plugins and of the user's MCP servers are refused too. */
const READING: Permission = {
  "*": "deny",
  read: "allow",
  glob: "allow",
  grep: "allow",
  list: "allow",
  lsp: "allow",
  codesearch: "allow",
  webfetch: "allow",
  websearch: "allow",
  todoread: "allow",
  todowrite: "allow",
  skill: "allow",
  external_directory: "allow",
  doom_loop: "allow",
};

/**
 * The CLI merges this over the configurations of the user and the project. In a merged record of
 * permissions their keys come first, which changes the order of the rules. An agent of the CLI has
 * its own record, and neither of them can know the name of this one.
 */
export function opencodeConfig(request: RunRequest): object {
  const { agentId, mcp, workingDirectory } = request;
  const permission = {
    ...(mayWrite(request) ? WRITING : READING),
    ...(mcp && { [`${mcp.name}_*`]: "allow" }),
  };
  return {
    autoupdate: false,
    share: "disabled",
    agent: { [agentId]: { mode: "primary", permission } },
    // The CLI finds it by itself only together with the project's configuration.
    ...(!mayWrite(request) && { instructions: [join(workingDirectory, "AGENTS.md")] }),
    ...(mcp && { mcp: { [mcp.name]: serverOf(mcp) } }),
  };
}

export function mayWrite({ access, purpose }: RunRequest): boolean {
  return access === "read-write" && purpose !== "health-check";
}

function serverOf({ command, variables }: McpEntry): object {
  return {
    type: "local",
    command,
    enabled: true,
    environment: Object.fromEntries(variables.map((name) => [name, `{env:${name}}`])),
    timeout: CALL_TIMEOUT_MS,
  };
}
