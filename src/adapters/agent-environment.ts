import type { Environment } from "../app/core.ts";
import type { Runner } from "../app/ports/runner.ts";
import { allowedEnvironment, type Variables } from "../base/allowed-environment.ts";
import { OWN_SERVER } from "../domain/agents/progress.ts";
import type { RunnerId } from "../domain/agents/runner.ts";

/** Terminal programs need the terminal's kind; Git over SSH needs the SSH agent. */
export const AGENT_VARIABLES = ["TERM", "COLORTERM", "SSH_AUTH_SOCK"];

export type AgentEnvironmentOptions = {
  readonly variables: Variables;
  /** Names the configuration adds (`agent.env`). */
  readonly extraNames: readonly string[];
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly mcpUrl: () => string | null;
  readonly socketPath: string;
  /** The command of our MCP server over stdio. */
  readonly shimCommand: readonly string[];
  readonly commandName: string;
};

const OWN_VARIABLES = ["KUROMAJUTSU_AGENT_ID", "KUROMAJUTSU_AGENT_TOKEN", "KUROMAJUTSU_SOCKET"];

/** No agent has this id. It makes our commands refuse to work inside a probe. */
const PROBE_ID = "health-check";

export function createAgentEnvironment(options: AgentEnvironmentOptions): Environment {
  const { variables, extraNames, runners } = options;
  /** Cache: the daemon's environment never changes, and filtering it is slow. */
  const known = new Map<RunnerId, Readonly<Record<string, string>>>();
  function inherited(runner: RunnerId): Readonly<Record<string, string>> {
    const vendorNames = runners.get(runner)?.vendorVariables ?? [];
    const found =
      known.get(runner) ??
      allowedEnvironment(variables, [...AGENT_VARIABLES, ...extraNames, ...vendorNames]);
    known.set(runner, found);
    return found;
  }
  return {
    ownServer: { name: OWN_SERVER, command: options.shimCommand, variables: OWN_VARIABLES },
    commandName: options.commandName,
    has: (name) => Boolean(variables[name]),
    forAgent(agent, token, keys) {
      const url = options.mcpUrl();
      return {
        ...inherited(agent.runner),
        ...keys,
        KUROMAJUTSU_AGENT_ID: agent.id,
        KUROMAJUTSU_AGENT_TOKEN: token,
        KUROMAJUTSU_SOCKET: options.socketPath,
        ...(url === null ? {} : { KUROMAJUTSU_MCP_URL: url }),
      };
    },
    // With the socket: an MCP entry in the user's settings must find this daemon, not start another.
    forProbe: (runner, token, keys) => ({
      ...inherited(runner),
      ...keys,
      ...(token !== undefined && {
        KUROMAJUTSU_AGENT_ID: PROBE_ID,
        KUROMAJUTSU_AGENT_TOKEN: token,
      }),
      KUROMAJUTSU_SOCKET: options.socketPath,
    }),
  };
}
