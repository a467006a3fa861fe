import { IncomingMessage, Server, type ServerResponse } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { type ConnectionLimit, limitConnections } from "../limit-connections.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { rememberConnection } from "./connection-of.ts";
import { problem } from "./problem.ts";

/** Headers of every response. Only the files of the dashboard override the cache header. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** A connection is closed if the head of a request takes longer than this. */
const FIRST_REQUEST_MS = 10_000;
/** A connection is closed if head and body of a request take longer. Responses have no limit. */
const WHOLE_REQUEST_MS = 30_000;

export type HttpServerOptions = {
  readonly answer: (request: Request) => Response | Promise<Response>;
  readonly connections?: ConnectionLimit;
  readonly firstRequestMs?: number;
  readonly wholeRequestMs?: number;
};

export function createHttpServer({
  answer,
  connections = limitConnections({ max: Infinity }),
  firstRequestMs = FIRST_REQUEST_MS,
  wholeRequestMs = WHOLE_REQUEST_MS,
}: HttpServerOptions): Server {
  const server = createAdaptorServer({
    serverOptions: {
      headersTimeout: firstRequestMs,
      requestTimeout: Math.max(wholeRequestMs, firstRequestMs),
      connectionsCheckingInterval: Math.ceil(firstRequestMs / 5),
    },
    fetch(request, { incoming }) {
      if (!(incoming instanceof IncomingMessage)) return answer(request);
      if (connections.isOver(incoming.socket)) return tooManyConnections(request.headers);
      rememberConnection(request, incoming.socket);
      return answer(request);
    },
  });
  if (!(server instanceof Server)) throw new Error("The HTTP adaptor made no HTTP/1 server.");
  server.prependListener("connection", (socket) => connections.accept(socket));
  // Set on Node's own response: setting them on a Response would rebuild all its headers.
  server.prependListener("request", (request, response) => {
    watchRequest(connections, request, response);
    for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  });
  return server;
}

function watchRequest(
  connections: ConnectionLimit,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket, headers } = request;
  connections.setIdle(socket, false);
  response.once("finish", () => connections.setIdle(socket, true));
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"] ?? 0)) return;
  connections.receiving(socket);
  request.once("end", () => connections.received(socket));
}

export const TOO_MANY_CONNECTIONS = {
  status: 503,
  code: "TOO_MANY_CONNECTIONS",
  detail: "The daemon has as many connections as it can serve.",
  hint: "Close other dashboards and clients, or raise the limit of open files (ulimit -n).",
} as const;

const TOO_MANY_IN_JAPANESE = {
  detail: "デーモンが受けられる接続の数に達しています。",
  hint: "ほかのダッシュボードやクライアントを閉じるか、開けるファイルの数の上限 (ulimit -n) を上げてください。",
} as const;

/** The settings are not known here, so only the request chooses the language. */
function tooManyConnections(headers: Headers): Response {
  const { status, code } = TOO_MANY_CONNECTIONS;
  const locale = localeOfRequest({ chosenLocale: null, locale: "en" }, headers);
  const { detail, hint } = locale === "ja" ? TOO_MANY_IN_JAPANESE : TOO_MANY_CONNECTIONS;
  const response = problem(status, code, detail, hint);
  response.headers.set("connection", "close");
  response.headers.set("retry-after", "5");
  return response;
}
