import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer, type CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";

type Args = Readonly<Record<string, unknown>>;

/** Text, data (sent as JSON text and as structured content), or a whole result. */
export type Answer = string | Args | CallToolResult;
export type ScriptedTool = {
  /** `turn` counts the calls of this tool from 1. */
  answer(args: Args, turn: number): Answer | Promise<Answer>;
  /** Declares `idempotentHint: false`. */
  readonly isOnce?: boolean;
  readonly beats?: boolean;
};

export type ToolDaemonOptions = {
  readonly agentId?: string;
  /** Crashes during the first call of this tool, and restarts on the same port. */
  readonly restartsDuring?: string;
  /** Whether the crash breaks connections or ends the open answers empty. */
  readonly ending?: "dies" | "stops";
};

/** The daemon as an agent sees it: MCP over HTTP with a token, and tools with scripted answers. */
export async function aToolDaemon(
  tools: Readonly<Record<string, ScriptedTool>>,
  options: ToolDaemonOptions = {},
) {
  const calls: { readonly name: string; readonly args: Args }[] = [];
  const tokens = new Set<string | undefined>();
  let port = 0;
  let server: Server | undefined;
  let handler = createMcpHandler(createMcp);
  let hasRestarted = false;
  const callsOf = (name: string) => calls.filter((call) => call.name === name).map((c) => c.args);

  async function restart(): Promise<void> {
    hasRestarted = true;
    await stop();
    await sleep(200);
    await listen();
  }

  function createMcp(): McpServer {
    const mcp = new McpServer({ name: "test", version: "0" });
    for (const [name, tool] of Object.entries(tools)) {
      const hints = tool.isOnce ? { annotations: { idempotentHint: false } } : {};
      mcp.registerTool(
        name,
        { inputSchema: z.looseObject({}), ...hints },
        async (args, { mcpReq }) => {
          calls.push({ name, args });
          const answer = await tool.answer(args, callsOf(name).length);
          const progressToken = mcpReq._meta?.progressToken;
          if (tool.beats && progressToken !== undefined) {
            const params = { progressToken, progress: 1 };
            await mcpReq.notify({ method: "notifications/progress", params });
            await sleep(50);
          }
          if (name === options.restartsDuring && !hasRestarted) await restart();
          return toResult(answer);
        },
      );
    }
    return mcp;
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    tokens.add(request.headers.authorization);
    if (request.headers.authorization !== "Bearer token-1") {
      response.writeHead(401).end();
      return;
    }
    const { method = "GET", url = "/" } = request;
    void toNodeHandler(handler)(Object.assign(request, { method, url }), response);
  }

  async function listen(): Promise<void> {
    handler = createMcpHandler(createMcp, { responseMode: "sse" });
    server = createServer(serve).listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) port = address.port;
  }

  async function stop(): Promise<void> {
    if (!server?.listening) return;
    const closed = once(server, "close");
    server.close();
    if (options.ending === "stops") {
      await handler.close();
      await sleep(50);
    }
    server.closeAllConnections();
    await closed;
  }

  await listen();
  return {
    calls,
    callsOf,
    tokens,
    env: {
      KUROMAJUTSU_MCP_URL: `http://127.0.0.1:${port}/mcp`,
      KUROMAJUTSU_AGENT_TOKEN: "token-1",
      KUROMAJUTSU_AGENT_ID: options.agentId ?? "",
    },
    listen,
    stop,
  };
}

export function toResult(answer: Answer): CallToolResult {
  if (typeof answer === "string") return { content: [{ type: "text", text: answer }] };
  if (isResult(answer)) return answer;
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
}

function isResult(answer: Args | CallToolResult): answer is CallToolResult {
  return Array.isArray(answer.content);
}
