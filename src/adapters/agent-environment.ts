import type { Environment } from "../app/core.ts";
import type { Runner } from "../app/ports/runner.ts";
import type { RunnerId } from "../domain/agents/runner.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that any command-line program needs. No keys, no tokens, none of the daemon's own. */
const ALLOWED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TERM",
  "COLORTERM",
  "SSH_AUTH_SOCK",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
]);
const ALLOWED_PREFIXES = ["LC_", "XDG_"];

export type AgentEnvironmentOptions = {
  readonly variables: Variables;
  /** Names the configuration adds (`agent.env`). */
  readonly extraNames: readonly string[];
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly mcpUrl: () => string | null;
  readonly socketPath: string;
};

export function createAgentEnvironment(options: AgentEnvironmentOptions): Environment {
  const { variables, extraNames } = options;
  const passes = (name: string): boolean =>
    ALLOWED.has(name) ||
    extraNames.includes(name) ||
    ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
  /** Cache: the daemon's environment never changes, and filtering it is slow. */
  const known = new Map<RunnerId, Readonly<Record<string, string>>>();
  function inherited(runner: RunnerId): Readonly<Record<string, string>> {
    const found = known.get(runner) ?? {
      ...pick(variables, passes),
      ...pick(variables, vendorVariable(options.runners, runner)),
    };
    known.set(runner, found);
    return found;
  }
  return {
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
    forProbe: (runner) => ({ ...inherited(runner), KUROMAJUTSU_SOCKET: options.socketPath }),
  };
}

function vendorVariable(runners: ReadonlyMap<RunnerId, Runner>, runner: RunnerId) {
  const names = runners.get(runner)?.vendorVariables ?? [];
  return (name: string): boolean => names.includes(name);
}

function pick(variables: Variables, passes: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && passes(name)) picked[name] = value;
  }
  return picked;
}
