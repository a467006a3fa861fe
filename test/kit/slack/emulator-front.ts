import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { fieldsOf, parseJson, type Fields } from "../../../src/base/narrow.ts";
import { parseBody, readBody } from "./body.ts";

export type FrontOptions = {
  readonly port: number;
  /** The emulator's address, without a path. */
  readonly emulatorUrl: string;
  /** Sees every call of the app that the emulator has accepted. */
  readonly accepted: (method: string, body: Fields, answer: Fields) => void;
  /** Does what the app has posted to a response URL. */
  readonly respond: (id: string, body: Fields) => Promise<void>;
};

/**
 * Stands between the app and the emulator. It adds what the emulator does not have: response URLs,
 * and Slack's answer to a method that does not exist.
 */
export async function startFront({ port, emulatorUrl, accepted, respond }: FrontOptions) {
  async function forward(request: IncomingMessage, response: ServerResponse, path: string) {
    const body = await buffer(request);
    const { authorization, "content-type": type } = request.headers;
    const answer = await fetch(`${emulatorUrl}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(type !== undefined && { "content-type": type }),
      },
      ...(body.length > 0 && { body }),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    const method = path.replace("/api/", "");
    if (path.startsWith("/api/") && answer.status === 404) {
      return send(response, { ok: false, error: "unknown_method", req_method: method });
    }
    const fields = fieldsOf(parseJson(text.toString()));
    if (fields["ok"] === true) accepted(method, parseBody(body, type), fields);
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
    });
    response.end(text);
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", emulatorUrl);
    const serving = pathname.startsWith("/actions/")
      ? readBody(request)
          .then((body) => respond(pathname.replace("/actions/", ""), body))
          .then(() => send(response, { ok: true }))
      : forward(request, response, pathname);
    serving.catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, body: Fields): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
