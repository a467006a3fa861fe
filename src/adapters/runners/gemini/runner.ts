import { join } from "node:path";
import type { Runner } from "../../../app/ports/runner.ts";
import { DEFAULT_MODEL } from "../../../app/roles/resolve-runner.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import { createPathSearch } from "../find-on-path.ts";
import { readVersion } from "../read-version.ts";
import { diagnoseGemini } from "./diagnose.ts";
import { isGeminiDelta } from "./is-delta.ts";
import { parseGeminiLine, TOOL_PREFIX } from "./parse.ts";
import { geminiSettings } from "./settings.ts";
import { GEMINI_VARIABLES, systemDefaultsPath } from "./variables.ts";

const SETTINGS_FILE = "gemini-settings.json";

export type GeminiRunnerOptions = { readonly path?: () => string | undefined };

export function createGeminiRunner({
  path = () => process.env.PATH,
}: GeminiRunnerOptions = {}): Runner {
  const search = createPathSearch(["gemini"], path);
  return {
    id: "gemini",
    // SIGINT has the same effect. Both leave the shells of its tools to the sweep.
    stopSignal: "SIGTERM",
    defaultModel: DEFAULT_MODEL,
    vendorVariables: GEMINI_VARIABLES,
    toolName: (tool) => `${TOOL_PREFIX}${OWN_SERVER}_${tool}`,
    diagnose: (stderr, exitCode) => diagnoseGemini(stderr, exitCode),
    async detect() {
      const command = await search();
      return command === undefined ? undefined : { command };
    },
    version: (command) => readVersion(command),
    // The CLI has no command that lists them.
    models: () => Promise.resolve(undefined),
    command: (request, command) => ({
      argv: [
        command,
        "--output-format",
        "stream-json",
        // In a folder that is not trusted the CLI starts no MCP server.
        "--skip-trust",
        ...(request.access === "read-write" && request.purpose !== "health-check"
          ? ["--yolo"]
          : []),
        ...(request.resumeSession ? ["--resume", request.resumeSession] : []),
        ...(request.model === null ? [] : ["--model", request.model]),
      ],
      env: {
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(request.runDirectory, SETTINGS_FILE),
        GEMINI_CLI_SYSTEM_DEFAULTS_PATH: systemDefaultsPath(),
        // Otherwise the CLI is the child of a launcher that ignores SIGTERM.
        GEMINI_CLI_NO_RELAUNCH: "true",
      },
      stdin: request.prompt,
      files: [{ name: SETTINGS_FILE, content: JSON.stringify(geminiSettings(request), null, 2) }],
    }),
    isDelta: isGeminiDelta,
    parse: parseGeminiLine,
  };
}
