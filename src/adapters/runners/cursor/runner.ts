import type { Runner, RunRequest } from "../../../app/ports/runner.ts";
import { createPathSearch } from "../find-on-path.ts";
import { listModels } from "../list-models.ts";
import { readVersion } from "../read-version.ts";
import { diagnoseCursor } from "./diagnose.ts";
import { isCursorDelta } from "./is-delta.ts";
import { parseCursorLine } from "./parse.ts";

/** Newer installations are called `agent`, older ones `cursor-agent`. */
const NAMES = ["agent", "cursor-agent"];

export type CursorRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly modelsTimeoutMs?: number;
};

export function createCursorRunner({
  path = () => process.env.PATH,
  modelsTimeoutMs,
}: CursorRunnerOptions = {}): Runner {
  const search = createPathSearch(NAMES, path);

  async function detect() {
    const command = await search();
    return command === undefined ? undefined : { command };
  }

  return {
    id: "cursor",
    stopSignal: "SIGTERM",
    // The built-in roles name Cursor models, so no default is needed.
    defaultModel: null,
    vendorVariables: ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN", "CURSOR_CONFIG_DIR"],
    // No flag for one run was found: servers come from `.cursor/mcp.json` and `~/.cursor/mcp.json`.
    usesOwnMcpEntry: true,
    // Cursor shows MCP tools under their own names.
    toolName: (tool) => tool,
    diagnose: diagnoseCursor,
    detect,
    version: (command) => readVersion(command, modelsTimeoutMs),
    async models() {
      const found = await detect();
      return found && listModels([found.command, "models"], modelsTimeoutMs);
    },
    command: (request, command) => ({
      argv: [
        command,
        "-p",
        // Without a terminal the CLI refuses, or hangs in, a directory it has not seen before. The
        // flag only answers that question; it permits no tool.
        "--trust",
        ...permissions(request),
        // Unverified: the CLI's reference documents it for the id of a chat.
        ...(request.resumeSession ? ["--resume", request.resumeSession] : []),
        ...(request.model === null ? [] : ["--model", request.model]),
        "--output-format",
        "stream-json",
        "--stream-partial-output",
      ],
      env: {},
      // As an argument the prompt would be limited to 128 KiB and readable by every user of the
      // machine.
      stdin: request.prompt,
    }),
    isDelta: isCursorDelta,
    parse: parseCursorLine,
  };
}

/** A health check calls only our MCP server and writes nothing, so it does not get `--force`. */
function permissions({ access, purpose }: RunRequest): readonly string[] {
  // Unverified: the CLI's reference has `--mode plan|ask`, but we have not seen it refuse a write.
  // Nothing else protects the user's files here.
  const mode = access === "read-only" ? ["--mode", "ask"] : [];
  const writes = access === "read-write" && purpose !== "health-check";
  return [...mode, ...(writes ? ["--force"] : []), "--approve-mcps"];
}
