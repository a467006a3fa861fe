import { join } from "node:path";
import type { McpEntry, RunnerCommand, RunRequest } from "../../../app/ports/runner.ts";
import { INBOX } from "../../../app/ports/supervisor.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import { projectFolders, type UserConfig } from "./user-config.ts";

/** A call may wait for a person's approval. */
const CALL_TIMEOUT_S = 3_600;
/** A daemon that is being restarted answers late, and the CLI exits if our server does not start. */
const CONNECT_TIMEOUT_S = 60;

/**
 * Used if the user's configuration has a server with our name: the CLI would merge both. It is not
 * longer than our name, because the names of tools have a limit.
 */
const OTHER_NAME = "kuro_agent";
export const SERVER_NAMES: readonly string[] = [OWN_SERVER, OTHER_NAME];

export function serverName({ servers }: UserConfig): string {
  return servers.includes(OWN_SERVER) ? OTHER_NAME : OWN_SERVER;
}

/** Through our host, which passes messages of people to the model in the middle of a turn. */
export function hostCommand(
  request: RunRequest,
  host: readonly string[],
  command: string,
  config: UserConfig,
): RunnerCommand {
  const { access, model, resumeSession, runDirectory, mcp, prompt } = request;
  return {
    argv: [
      ...host,
      `--access=${access}`,
      `--server=${serverName(config)}`,
      `--inbox=${join(runDirectory, INBOX)}`,
      ...(model === null ? [] : [`--model=${model}`]),
      ...(resumeSession ? [`--resume=${resumeSession}`] : []),
      "--",
      command,
      "app-server",
      ...trustSetting(request, config),
      ...serverSettings(mcp, config),
    ],
    env: {},
    stdin: prompt,
  };
}

export function execCommand(
  request: RunRequest,
  command: string,
  config: UserConfig,
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
      ...trustSetting(request, config),
      ...serverSettings(mcp, config),
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

/**
 * In a repository that the user has not decided about, the CLI would trust it, write that into the
 * user's configuration, and from then on start what the repository's own configuration names.
 */
function trustSetting(
  { workingDirectory }: RunRequest,
  { decided }: UserConfig,
): readonly string[] {
  const [folder, ...rest] = projectFolders(workingDirectory);
  if ([folder, ...rest].some((each) => decided.includes(each))) return [];
  return ["-c", `projects={${JSON.stringify(folder)}={trust_level="untrusted"}}`];
}

/** The CLI merges this into the user's servers and cannot drop one, so each is disabled by its name. */
function serverSettings(mcp: McpEntry | null, config: UserConfig): readonly string[] {
  const theirs = config.servers.map((name) => `${JSON.stringify(name)}={enabled=false}`);
  const all = [...theirs, ...(mcp ? [`${serverName(config)}=${serverOf(mcp)}`] : [])];
  return all.length > 0 ? ["-c", `mcp_servers={${all.join(",")}}`] : [];
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
