import type { Duplex } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Core, Identity } from "../../app/core.ts";
import type { McpHello } from "../../contract/hello.ts";
import { Refusal } from "../../domain/refusal.ts";
import { createMcpServer, type McpDoorOptions } from "./create-mcp-server.ts";
import { identifyByAgent, presentToken, requireAgentByToken } from "./identify.ts";
import { openTransport } from "./open-transport.ts";
import { readHello } from "./read-hello.ts";

/** The connection to the worker that the stream goes through. */
export type RelayLink = {
  readonly isOpen: () => boolean;
  /** Whether what was sent so far has arrived at the worker. */
  readonly hasArrived: () => Promise<boolean>;
};

/**
 * Serves a program on a worker that speaks to our MCP server, such as the CLI of an agent. The core is
 * that of the worker. Only agents that run there are served: who else may be on that machine is not
 * known here.
 */
export async function serveRelayed(
  options: McpDoorOptions,
  stream: Duplex,
  link: RelayLink,
): Promise<void> {
  const { core } = options;
  const hello = await readHello(stream);
  if (hello.kind !== "mcp") throw new Error("Commands are not answered on a worker.");
  const identify = identifierFor(core, hello);
  const { transport, onDelivery } = openTransport(stream, link);
  const isCutOff = (): boolean => !link.isOpen();
  serveStdio(() => createMcpServer(options, { identify, onDelivery, isCutOff }), {
    transport,
    onerror: (error) =>
      core.log.debug("An MCP connection on a worker failed.", { error: error.message }),
  });
  stream.resume();
}

function identifierFor(core: Core, hello: McpHello): () => Promise<Identity> {
  const token = presentToken(hello.token);
  const tokenHash = token === undefined ? undefined : core.tokens.hash(token);
  return async () => {
    const identity =
      tokenHash === undefined
        ? await identifyProcess(core, hello.pid)
        : await requireAgentByToken(core, tokenHash);
    if (identity.kind !== "agent") throw notAnAgent();
    const agent = await core.store.getAgent(identity.agentId);
    if (agent?.workerId !== core.serverId) throw notAnAgent();
    return identity;
  };
}

async function identifyProcess(core: Core, pid: number): Promise<Identity> {
  const agentId = await core.supervisor.agentOfProcess(pid);
  if (agentId === undefined) throw notAnAgent();
  return identifyByAgent(core, agentId);
}

function notAnAgent(): Refusal {
  return new Refusal("NOT_ALLOWED", {
    en: [
      "Only agents that this worker runs can use Kuromajutsu through it.",
      "Connect to a server instead: its address is in the configuration of your MCP client.",
    ],
    ja: [
      "ワーカーを通して使えるのは、そのワーカーが動かすエージェントだけです。",
      "MCP クライアントの設定に、サーバーのアドレスを指定してください。",
    ],
  });
}
