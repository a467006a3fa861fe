import type { Runner } from "../../../app/ports/runner.ts";
import { AWS_VARIABLES } from "../cloud-variables.ts";
import { createPathSearch } from "../find-on-path.ts";
import { readVersion } from "../read-version.ts";
import { codexCommand, SERVER_NAMES, serverName } from "./command.ts";
import { failureOfCodex } from "./failure.ts";
import { listCodexModels } from "./models.ts";
import { parseCodexLine } from "./parse.ts";
import { codexHome, readUserConfig } from "./user-config.ts";

export type CodexRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly home?: () => string;
  readonly modelsTimeoutMs?: number;
};

export function createCodexRunner({
  path = () => process.env.PATH,
  home = codexHome,
  modelsTimeoutMs,
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
    toolName: (tool) => `mcp__${serverName(readUserConfig(home()))}__${tool}`,
    diagnose: (stderr) => failureOfCodex(stderr, Date.now()),
    detect,
    version: (command) => readVersion(command),
    async models() {
      const found = await detect();
      return found && listCodexModels(found.command, modelsTimeoutMs);
    },
    command: (request, command) => codexCommand(request, command, readUserConfig(home())),
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
