import { randomUUID } from "node:crypto";
import { Server as HttpServer } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createOddTools, type OddTools } from "./odd-tools.ts";

export type HttpUpstream = {
  readonly url: string;
  /** Headers of every request so far. */
  readonly headers: Headers[];
  /** Breaks every connection and stops listening, as a killed program does. */
  kill(): Promise<void>;
};

export type AnHttpUpstream = Omit<OddTools, "crash"> & {
  /** Offers only one of the two protocol eras. */
  readonly era?: "legacy" | "modern";
  readonly port?: number;
  /** A proxy in front answers every tool call with this. */
  readonly callStatus?: number;
};

const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
});

/** The tools of odd-tools.ts over HTTP on loopback, for both protocol eras. */
export async function anHttpUpstream(options: AnHttpUpstream = {}): Promise<HttpUpstream> {
  const createServer = createOddTools({
    ...options,
    tellChange: () => modern.notify.toolsChanged(),
    crash: () => http.closeAllConnections(),
  });
  const modern = createMcpHandler(() => createServer(), { legacy: "reject" });
  const legacy = createSessions(createServer);
  const headers: Headers[] = [];

  async function fetch(request: Request): Promise<Response> {
    headers.push(request.headers);
    const body =
      request.method === "POST" ? message.parse(await request.clone().json()) : undefined;
    if (options.callStatus !== undefined && body?.method === "tools/call") {
      return new Response("no", { status: options.callStatus });
    }
    const isLegacy = await isLegacyRequest(request, body);
    if (options.era !== undefined && (options.era === "legacy") !== isLegacy) {
      const error = { code: -32_601, message: "Not in this era." };
      return Response.json({ jsonrpc: "2.0", id: body?.id ?? null, error }, { status: 400 });
    }
    return isLegacy ? legacy.fetch(request, body) : modern.fetch(request, { parsedBody: body });
  }

  const http = httpServer(fetch);
  await new Promise<void>((resolve) => http.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = http.address();
  if (typeof address !== "object" || address === null) throw new Error("It listens nowhere.");

  async function kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    http.closeAllConnections();
    await closed;
    await Promise.allSettled([modern.close(), legacy.close()]);
  }
  onTestFinished(kill);
  return { url: `http://127.0.0.1:${address.port}/mcp`, headers, kill };
}

function httpServer(fetch: (request: Request) => Promise<Response>): HttpServer {
  const server = createAdaptorServer({ fetch });
  if (server instanceof HttpServer) return server;
  throw new Error("The adaptor made no HTTP/1 server.");
}

/** Sessions as most servers have them: unlike those of our daemon, a cut stream is not resumed. */
function createSessions(createServer: ReturnType<typeof createOddTools>) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport;
  }

  return {
    async fetch(request: Request, parsedBody: unknown): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      const transport = id === null ? await open() : sessions.get(id);
      if (!transport) return new Response("No such session.", { status: 404 });
      return transport.handleRequest(request, { parsedBody });
    },
    close: () => Promise.all([...sessions.values()].map((transport) => transport.close())),
  };
}
