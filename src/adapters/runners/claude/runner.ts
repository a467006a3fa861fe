import type { Runner } from "../../../app/ports/runner.ts";
import { createPathSearch } from "../find-on-path.ts";
import { readVersion } from "../read-version.ts";
import { claudeCommand } from "./command.ts";
import { failureOfClaude } from "./failure.ts";
import { isClaudeDelta } from "./is-delta.ts";
import { listClaudeModels } from "./models.ts";
import { parseClaudeLine, TOOL_PREFIX } from "./parse.ts";
import { CLAUDE_VARIABLES } from "./variables.ts";

export type ClaudeRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly modelsTimeoutMs?: number;
  readonly isRoot?: boolean;
  /** How to start our feeder, which passes on messages; empty: the CLI is started directly. */
  readonly feeder?: readonly string[];
};

export function createClaudeRunner({
  path = () => process.env.PATH,
  modelsTimeoutMs,
  isRoot = process.getuid?.() === 0,
  feeder = [],
}: ClaudeRunnerOptions = {}): Runner {
  const search = createPathSearch(["claude"], path);

  async function detect() {
    const command = await search();
    return command === undefined ? undefined : { command };
  }

  return {
    id: "claude",
    stopSignal: "SIGTERM",
    defaultModel: "default",
    canSteer: feeder.length > 0,
    takesOtherModels: true,
    vendorVariables: CLAUDE_VARIABLES,
    toolName: (tool) => `${TOOL_PREFIX}${tool}`,
    diagnose: (stderr) => failureOfClaude({ text: stderr }),
    detect,
    version: (command) => readVersion(command),
    async models() {
      const found = await detect();
      return found && listClaudeModels(found.command, modelsTimeoutMs);
    },
    command: (request, command) => claudeCommand(request, [...feeder], command, isRoot),
    isDelta: isClaudeDelta,
    parse: parseClaudeLine,
  };
}
