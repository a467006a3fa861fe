import type { McpEntry, RunnerCommand, RunRequest } from "../../../app/ports/runner.ts";

/** A call may wait for a person's approval. */
const CALL_TIMEOUT_S = 3_600;
/** A daemon that is being restarted answers late, and the CLI exits if our server does not start. */
const CONNECT_TIMEOUT_S = 60;

export type UserServers = {
  /** MCP servers of the user's configuration. */
  readonly named: readonly string[];
  /** The name of our server, which is none of theirs. */
  readonly ours: string;
};

export function codexCommand(
  request: RunRequest,
  command: string,
  servers: UserServers,
): RunnerCommand {
  const { model, resumeSession, mcp, purpose, prompt } = request;
  return {
    argv: [
      command,
      "exec",
      ...(resumeSession ? ["resume"] : []),
      "--json",
      "--skip-git-repo-check",
      ...(purpose === "health-check" ? ["--ephemeral"] : []),
      ...permissions(request),
      ...servers.named.flatMap((name) => ["-c", `mcp_servers.${name}.enabled=false`]),
      ...(mcp ? ["-c", `mcp_servers.${servers.ours}=${serverOf(mcp)}`] : []),
      ...(model === null ? [] : ["-m", model]),
      ...(resumeSession ? [resumeSession] : []),
      // The prompt is on stdin.
      "-",
    ],
    env: {},
    stdin: prompt,
  };
}

/** A health check writes nothing, so it is confined to reading for every role. */
function permissions({ access, purpose }: RunRequest): readonly string[] {
  return access === "read-write" && purpose !== "health-check"
    ? ["--dangerously-bypass-approvals-and-sandbox"]
    : // `exec resume` does not have the flag `--sandbox`.
      ["-c", 'sandbox_mode="read-only"', "-c", 'approval_policy="never"'];
}

/** An inline table of TOML; its strings are written as in JSON. */
function serverOf({ command, variables }: McpEntry): string {
  const [program, ...args] = command;
  const entries = {
    command: program,
    args,
    // The CLI gives a server none of its variables, except those named here.
    env_vars: variables,
    // Without it the CLI goes on without our tools and calls that a success.
    required: true,
    startup_timeout_sec: CONNECT_TIMEOUT_S,
    tool_timeout_sec: CALL_TIMEOUT_S,
    // Otherwise a call of a tool that does not declare itself read-only is refused in a sandbox. What
    // an agent may call is decided by the daemon.
    default_tools_approval_mode: "approve",
  };
  const pairs = Object.entries(entries).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `{${pairs.join(",")}}`;
}
