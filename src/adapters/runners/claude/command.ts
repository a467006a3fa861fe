import { join } from "node:path";
import type { McpEntry, RunnerCommand, RunRequest } from "../../../app/ports/runner.ts";
import { INBOX } from "../../../app/ports/supervisor.ts";

/** A call may wait for a person's approval. */
const CALL_TIMEOUT_MS = 3_600_000;
/** A daemon that is being restarted answers late. */
const CONNECT_TIMEOUT_MS = 60_000;

/** With these the process would stay after its answer, for a wake-up or a watched program. */
export const WAITING_TOOLS = ["CronCreate", "ScheduleWakeup", "Monitor"];
/** An allow-list: a tool of a newer version is not in it. Sub-agents have the same tools. */
export const READING_TOOLS = ["Read", "Glob", "Grep", "WebFetch", "WebSearch", "Task"];

export function claudeCommand(
  request: RunRequest,
  feeder: readonly string[],
  command: string,
  isRoot: boolean,
): RunnerCommand {
  const { model, resumeSession, mcp, purpose, prompt } = request;
  const isCheck = purpose === "health-check";
  const isFed = feeder.length > 0 && !isCheck;
  return {
    argv: [
      ...(isFed ? [...feeder, `--inbox=${join(request.runDirectory, INBOX)}`, "--"] : []),
      command,
      "-p",
      ...(isFed ? ["--input-format", "stream-json"] : []),
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      ...permissions(request),
      // Without this flag the user's own servers are started too.
      "--strict-mcp-config",
      ...(mcp ? [`--mcp-config=${mcpConfig(mcp)}`] : []),
      ...(resumeSession ? ["--resume", resumeSession] : []),
      ...(isCheck ? ["--no-session-persistence"] : []),
      ...(model === null ? [] : ["--model", model]),
    ],
    env: {
      DISABLE_AUTOUPDATER: "1",
      MCP_TIMEOUT: String(CONNECT_TIMEOUT_MS),
      // The CLI holds its result back until every background task has ended, also a server.
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
      ...(isCheck && { CLAUDE_CODE_MAX_RETRIES: "1" }),
      // As root the CLI skips permissions only inside a sandbox, and this declares one.
      ...(isRoot && { IS_SANDBOX: "1" }),
    },
    stdin: prompt,
  };
}

/** Without a terminal the CLI refuses every call that it would have to ask about. */
function permissions({ access, purpose, mcp }: RunRequest): readonly string[] {
  if (access === "read-only") {
    const tools = purpose === "health-check" ? [] : READING_TOOLS;
    const allowed = [...tools, ...(mcp ? [`mcp__${mcp.name}`] : [])];
    return [
      "--permission-mode",
      "dontAsk",
      `--tools=${tools.join(",")}`,
      ...(allowed.length > 0 ? [`--allowedTools=${allowed.join(",")}`] : []),
    ];
  }
  // A health check has none of the CLI's own tools, so that the permission is worth nothing.
  return [
    "--dangerously-skip-permissions",
    purpose === "health-check" ? "--tools=" : `--disallowedTools=${WAITING_TOOLS.join(",")}`,
  ];
}

/** The CLI replaces `${NAME}` by the variable, so its value is not in argv. */
function mcpConfig({ name, command, variables }: McpEntry): string {
  const [program, ...args] = command;
  const server = {
    type: "stdio",
    command: program,
    args,
    env: Object.fromEntries(variables.map((variable) => [variable, `\${${variable}}`])),
    // Otherwise the model has to search for our tools before it can call them.
    alwaysLoad: true,
    timeout: CALL_TIMEOUT_MS,
  };
  return JSON.stringify({ mcpServers: { [name]: server } });
}
