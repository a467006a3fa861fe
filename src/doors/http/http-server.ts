import { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

/** What every answer says, whoever makes it. */
const ALWAYS = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" } as const;

export function createHttpServer(
  fetch: (request: Request) => Response | Promise<Response>,
): Server {
  const server = createAdaptorServer({ fetch });
  if (!(server instanceof Server)) throw new Error("The HTTP adaptor made no HTTP/1 server.");
  // On Node's own answer: added to a Response, they would make it build all its headers anew.
  server.prependListener("request", (_request, answer) => {
    for (const [name, value] of Object.entries(ALWAYS)) answer.setHeader(name, value);
  });
  return server;
}
