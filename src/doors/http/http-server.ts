import { IncomingMessage, Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { rememberConnection } from "./connection-of.ts";

/** Headers of every answer. Only files of the dashboard, which say so, may be cached. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

export function createHttpServer(
  answer: (request: Request) => Response | Promise<Response>,
): Server {
  const server = createAdaptorServer({
    fetch(request, { incoming }) {
      if (incoming instanceof IncomingMessage) rememberConnection(request, incoming.socket);
      return answer(request);
    },
  });
  if (!(server instanceof Server)) throw new Error("The HTTP adaptor made no HTTP/1 server.");
  // Set on Node's own answer: setting them on a Response would make it rebuild all its headers.
  server.prependListener("request", (_request, response) => {
    for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  });
  return server;
}
