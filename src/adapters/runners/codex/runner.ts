import type { Runner } from "../../../app/ports/runner.ts";
import { AWS_VARIABLES } from "../cloud-variables.ts";
import { createPathSearch } from "../find-on-path.ts";
import { readVersion } from "../read-version.ts";
import { execCommand, hostCommand, SERVER_NAMES, serverName } from "./command.ts";
import { failureOfCodex } from "./failure.ts";
import { listCodexModels } from "./models.ts";
import { parseCodexLine } from "./parse.ts";
import { codexHome, readUserConfig } from "./user-config.ts";

export type CodexRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly home?: () => string;
  readonly modelsTimeoutMs?: number;
  /** How to start our host, which passes on messages; empty: the CLI is started directly. */
  readonly host?: readonly string[];
};

export function createCodexRunner({
  path = () => process.env.PATH,
  home = codexHome,
  modelsTimeoutMs,
  host = [],
}: CodexRunnerOptions = {}): Runner {
  const search = createPathSearch(["codex"], path);

  async function detect() {
    const command = await search();
    return command === undefined ? undefined : { command };
  }

  return {
    id: "codex",
    // After SIGTERM the programs of its shell would stay.
    stopSignal: "SIGINT",
    defaultModel: "default",
    // A provider of the user's configuration has models that the CLI does not know.
    takesOtherModels: true,
    vendorVariables: VARIABLES,
    canSteer: host.length > 0,
    toolName: (tool) => `mcp__${serverName(readUserConfig(home()))}__${tool}`,
    diagnose: (stderr) => failureOfCodex(stderr, Date.now()),
    detect,
    version: (command) => readVersion(command),
    async models() {
      const found = await detect();
      return found && listCodexModels(found.command, modelsTimeoutMs);
    },
    command(request, command) {
      const config = readUserConfig(home());
      // A health check leaves no conversation behind, which only `codex exec` can promise.
      const isHosted = host.length > 0 && request.purpose !== "health-check";
      return isHosted
        ? hostCommand(request, host, command, config)
        : execCommand(request, command, config);
    },
    isDelta: () => false,
    parse: (line) => parseCodexLine(line, SERVER_NAMES, Date.now()),
  };
}

/** A provider of the user's configuration may read others: these are named in `agent.env`. */
const VARIABLES: readonly string[] = [
  "OPENAI_API_KEY",
  "CODEX_API_KEY",
  "CODEX_ACCESS_TOKEN",
  "CODEX_HOME",
  "CODEX_SQLITE_HOME",
  "CODEX_CA_CERTIFICATE",
  "OPENAI_BASE_URL",
  "OPENAI_ORGANIZATION",
  "OPENAI_PROJECT",
  "AZURE_OPENAI_API_KEY",
  ...AWS_VARIABLES,
];
