import { shimCommand } from "../entries.ts";

/** The configuration that a person adds to an MCP client. */
export function mcpSnippet(): string {
  const [command, ...args] = shimCommand();
  const server = {
    command,
    args,
    env: { KUROMAJUTSU_AGENT_TOKEN: "${env:KUROMAJUTSU_AGENT_TOKEN}" },
  };
  return JSON.stringify({ mcpServers: { kuromajutsu: server } }, null, 2);
}
