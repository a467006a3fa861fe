import type { Runner } from "../../../app/ports/runner.ts";
import { DEFAULT_MODEL } from "../../../app/roles/resolve-runner.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import { createPathSearch } from "../find-on-path.ts";
import { listModels } from "../list-models.ts";
import { readVersion } from "../read-version.ts";
import { mayWrite, opencodeConfig } from "./config.ts";
import { diagnoseOpencode } from "./diagnose.ts";
import { parseOpencodeLine } from "./parse.ts";
import { createPreparation } from "./prepare.ts";
import { OPENCODE_VARIABLES } from "./variables.ts";

/** Nothing is downloaded or updated in the middle of a run. */
const QUIET = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" } as const;

export type OpencodeRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly modelsTimeoutMs?: number;
};

export function createOpencodeRunner({
  path = () => process.env.PATH,
  modelsTimeoutMs,
}: OpencodeRunnerOptions = {}): Runner {
  const search = createPathSearch(["opencode"], path);

  async function detect() {
    const command = await search();
    return command === undefined ? undefined : { command };
  }

  return {
    id: "opencode",
    // SIGINT has the same effect. Both leave the shells of its tools to the sweep.
    stopSignal: "SIGTERM",
    defaultModel: DEFAULT_MODEL,
    signsInPerModel: true,
    vendorVariables: OPENCODE_VARIABLES,
    toolName: (tool) => `${OWN_SERVER}_${tool}`,
    diagnose: diagnoseOpencode,
    detect,
    version: (command) => readVersion(command, modelsTimeoutMs),
    prepare: createPreparation(),
    async models() {
      const found = await detect();
      return found && listModels([found.command, "models"], modelsTimeoutMs);
    },
    command: (request, command) => ({
      argv: [
        command,
        "run",
        "--format",
        "json",
        "--agent",
        request.agentId,
        // Without a title the CLI asks a model for one, whose tokens are not in its stream.
        "--title",
        request.agentId,
        // Some error events only say "check server logs".
        "--print-logs",
        "--log-level",
        "ERROR",
        ...(request.resumeSession ? ["--session", request.resumeSession] : []),
        ...(request.model === null ? [] : ["--model", request.model]),
      ],
      env: {
        ...QUIET,
        // Plugins and MCP servers of the project are programs that no permission restrains.
        ...(!mayWrite(request) && { OPENCODE_DISABLE_PROJECT_CONFIG: "1" }),
        OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(request)),
        // The CLI works in PWD, not in its working directory.
        PWD: request.workingDirectory,
      },
      stdin: request.prompt,
    }),
    // The stream has only whole texts.
    isDelta: () => false,
    parse: parseOpencodeLine,
  };
}
