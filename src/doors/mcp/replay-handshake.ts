import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  type WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpSessionRow } from "../../app/ports/shared-state.ts";

export const SESSION_HEADER = "mcp-session-id";

type Client = McpSessionRow["client"];
const UNKNOWN_CLIENT: Client = { name: "unknown (session of an earlier daemon)", version: "0" };

export type Replayed = {
  readonly id: string;
  readonly protocolVersion: string;
  /** Its name decides how long it waits for an answer. */
  readonly client: Client | undefined;
};

export function protocolOf(request: Request): string {
  return request.headers.get("mcp-protocol-version") ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
}

/** Sends the handshake of a session to a new transport, in the name of the sender of `request`. */
export async function replayHandshake(
  transport: WebStandardStreamableHTTPServerTransport,
  request: Request,
  replayed: Replayed,
): Promise<void> {
  for (const message of handshake(replayed)) {
    const answer = await transport.handleRequest(handshakeRequest(request, replayed.id, message));
    await answer.body?.cancel();
  }
}

function handshake({ protocolVersion, client = UNKNOWN_CLIENT }: Replayed): unknown[] {
  const params = { protocolVersion, capabilities: {}, clientInfo: client };
  return [
    { jsonrpc: "2.0", id: "handshake-again", method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ];
}

function handshakeRequest(request: Request, id: string, message: unknown): Request {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    [SESSION_HEADER]: id,
  });
  const authorization = request.headers.get("authorization");
  if (authorization) headers.set("authorization", authorization);
  return new Request(request.url, { method: "POST", headers, body: JSON.stringify(message) });
}
