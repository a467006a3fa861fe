import { SOCKET_SCHEME } from "./mcp.ts";
import { readPrompt } from "./read-prompt.ts";
import { rehearse } from "./rehearse.ts";

let ignoresTerm = false;
process.on("SIGTERM", () => {
  if (!ignoresTerm) process.exit(143);
});

/**
 * Not awaited at the top level: lazily loaded parts of the bundled program import this file, so
 * they would wait for its end and deadlock.
 */
void main();

async function main(): Promise<never> {
  // Before the first schema is created.
  await import("../base/plain-parsers.ts");
  const prompt = await readStdin();
  const read = readPrompt(prompt);
  ignoresTerm = read.directives.some(({ verb }) => verb === "ignore-term");

  const code = await rehearse({
    prompt,
    read,
    model: argument("--model") ?? "none",
    isReadOnly: argument("--mode") === "ask",
    mcpUrl: process.env.KUROMAJUTSU_MCP_URL ?? addressOfSocket(process.env.KUROMAJUTSU_SOCKET),
    token: process.env.KUROMAJUTSU_AGENT_TOKEN,
    agentId: process.env.KUROMAJUTSU_AGENT_ID,
  });
  // Idle connections must not keep the process alive.
  process.exit(code);
}

/** On a worker there is no address over HTTP, only the socket that leads to a server. */
function addressOfSocket(path: string | undefined): string | undefined {
  return path === undefined ? undefined : `${SOCKET_SCHEME}${path}`;
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name, 2);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
