import type { Runner } from "../../../app/ports/runner.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import { AWS_VARIABLES } from "../cloud-variables.ts";
import { createPathSearch } from "../find-on-path.ts";
import { codexCommand, type UserServers } from "./command.ts";
import { failureOfCodex } from "./failure.ts";
import { listCodexModels } from "./models.ts";
import { parseCodexLine } from "./parse.ts";
import { codexHome, serversOfUser } from "./user-config.ts";

export type CodexRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly home?: () => string;
  readonly modelsTimeoutMs?: number;
};

/**
 * Used if the user's configuration has a server with our name: the CLI would merge both. It is as
 * long as our name at most, because names of tools are limited.
 */
const OTHER_NAME = "kuro_agent";
const OWN_SERVERS = [OWN_SERVER, OTHER_NAME];

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

  function userServers(): UserServers {
    const named = serversOfUser(home());
    return { named, ours: named.includes(OWN_SERVER) ? OTHER_NAME : OWN_SERVER };
  }

  return {
    id: "codex",
    // After SIGTERM the programs of its shell would stay.
    stopSignal: "SIGINT",
    defaultModel: "default",
    // A provider of the user's configuration has models that the CLI does not know.
    takesOtherModels: true,
    vendorVariables: VARIABLES,
    toolName: (tool) => `mcp__${userServers().ours}__${tool}`,
    diagnose: (stderr) => failureOfCodex(stderr, Date.now()),
    detect,
    async models() {
      const found = await detect();
      return found && listCodexModels(found.command, modelsTimeoutMs);
    },
    command: (request, command) => codexCommand(request, command, userServers()),
    isDelta: () => false,
    parse: (line) => parseCodexLine(line, OWN_SERVERS, Date.now()),
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
