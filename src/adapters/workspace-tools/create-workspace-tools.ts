import type { WorkspaceTools } from "../../app/ports/workspace-tools.ts";
import { allowedEnvironment, type Variables } from "../../base/allowed-environment.ts";
import { AGENT_VARIABLES } from "../agent-environment.ts";
import { endMarked } from "../marked-processes.ts";
import { copyIgnored } from "./copy-ignored.ts";
import { findPorts } from "./find-ports.ts";
import { openPullRequest, pullRequestTool, TOOL_VARIABLES } from "./pull-request.ts";
import { COMMAND_MARK, runCommand } from "./run-command.ts";
import { guardedGit } from "./run-program.ts";

export type WorkspaceToolsOptions = {
  /** The environment of the daemon. */
  readonly variables: Variables;
  /** Names the configuration adds (`agent.env`). */
  readonly extraNames: readonly string[];
};

export function createWorkspaceTools(options: WorkspaceToolsOptions): WorkspaceTools {
  const { variables, extraNames } = options;
  const forCommands = allowedEnvironment(variables, [...AGENT_VARIABLES, ...extraNames]);
  const forGit = guardedGit(allowedEnvironment(variables, ["SSH_AUTH_SOCK"]));
  const forTools = guardedGit(allowedEnvironment(variables, ["SSH_AUTH_SOCK", ...TOOL_VARIABLES]));
  return {
    run: (command) => runCommand(command, forCommands),
    endLeftovers: (mark) => endMarked((found) => found === mark, COMMAND_MARK),
    copyIgnored: (from, to, globs) => copyIgnored({ from, to, globs, env: forGit }),
    findPorts,
    pullRequestTool: (repository) => pullRequestTool(repository, forGit),
    openPullRequest: (tool, spec) => openPullRequest(tool, spec, forTools),
  };
}
