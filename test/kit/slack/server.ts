import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fields } from "../../../src/base/narrow.ts";
import { aFreePort } from "../free-port.ts";
import { anArgs, type CheckBlocks } from "./api/method.ts";
import { runMethod, tokenOf, type ApiContext, type ApiRequest } from "./api/run-method.ts";
import { readBody } from "./body.ts";
import { aFaultPlan, type Fault } from "./faults.ts";
import { aLimiter, type RateLimits } from "./limits.ts";
import { useResponseUrl } from "./response-url.ts";
import type { SocketMode } from "./socket-mode.ts";
import type { World } from "./world.ts";

/** A call of the Web API, in the order of arrival. */
export type RecordedCall = {
  readonly method: string;
  readonly at: number;
  /** The workspace of the token; undefined for an unknown token. */
  readonly teamId: string | undefined;
  readonly body: Fields;
  /** Undefined until Slack has answered, and if the answer was lost. */
  answer?: Fields;
  status?: number;
};

export type ServerOptions = {
  readonly world: World;
  readonly sockets: SocketMode;
  readonly check: CheckBlocks;
  readonly limits: RateLimits;
  readonly streamIdleMs: number;
};

/** The HTTP side of Slack: Web API, uploads, downloads and response URLs. */
export async function startServer(options: ServerOptions) {
  const { world, sockets, check, streamIdleMs } = options;
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}`;
  const calls: RecordedCall[] = [];
  const faults = aFaultPlan();
  const limiter = aLimiter(options.limits);
  const context: ApiContext = {
    world,
    url,
    check,
    streamIdleMs,
    newSocketUrl: () => `ws://127.0.0.1:${port}/link/?ticket=${sockets.newTicket()}`,
  };

  async function serveApi(request: IncomingMessage, response: ServerResponse, method: string) {
    const body = await readBody(request);
    const asked: ApiRequest = {
      method,
      args: anArgs(body),
      authorization: request.headers.authorization ?? "",
    };
    const token = tokenOf(world, asked);
    const call: RecordedCall = { method, at: Date.now(), teamId: token?.team?.id, body };
    calls.push(call);
    const answer = (status: number, value: Fields, headers: Record<string, string> = {}) => {
      Object.assign(call, { status, answer: value });
      sendJson(response, status, value, {
        ...(token && { "x-oauth-scopes": [...token.scopes].join(",") }),
        ...headers,
      });
    };
    const fault = faults.take(method, body) ?? {};
    if (fault.delayMs !== undefined) await sleep(fault.delayMs);
    if (fault.loseRequest) return request.socket.destroy();
    const channel = method === "chat.postMessage" ? String(body["channel"]) : "";
    const wait = fault.rateLimited ?? limiter.take(method, `${token?.team?.id} ${channel}`);
    if (wait !== undefined) {
      return answer(429, { ok: false, error: "ratelimited" }, { "retry-after": String(wait) });
    }
    if (fault.status !== undefined) return sendFailure(response, call, fault);
    if (fault.error !== undefined) {
      return answer(200, { ok: false, error: fault.error, ...fault.extra });
    }
    const result = runMethod(context, asked);
    return fault.loseAnswer ? request.socket.destroy() : answer(200, result);
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? "/", url);
    const [, first = "", ...rest] = pathname.split("/");
    if (first === "api") return serveApi(request, response, rest.join("/"));
    if (first === "upload") return receiveUpload(world, rest, request, response);
    if (first === "files-pri") return sendFile(world, rest, request, response);
    if (first === "actions") {
      const error = useResponseUrl(world, rest.join("/"), anArgs(await readBody(request)), check);
      return sendJson(response, error ? 404 : 200, error ? { ok: false, error } : { ok: true });
    }
    return sendText(response, 404, "Not found");
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) return request.socket.destroy();
      sendText(response, 500, `The fake Slack failed: ${String(error)}`);
    });
  });
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen();

  return {
    url,
    calls,
    faults,
    context,
    /** The port refuses connections and all sockets break; the state stays. */
    async goDown(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.cutAll();
      server.closeAllConnections();
      await closed;
    },
    comeBack: listen,
  };
}

/** A failing proxy answers with a page, not with JSON. */
function sendFailure(response: ServerResponse, call: RecordedCall, { status = 500 }: Fault): void {
  call.status = status;
  sendText(response, status, "<html><body>Something went wrong</body></html>");
}

/** The address of an upload is the secret: it needs no token. */
async function receiveUpload(
  world: World,
  [, teamId = "", fileId = ""]: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await uploadedBytes(request);
  const file = world.teams.get(teamId)?.files.get(fileId);
  if (!file || file.isComplete) return sendText(response, 404, "No such upload");
  file.content = content;
  sendText(response, 200, `OK - ${content.length}`);
}

/** The content of a file comes as it is, or as a part of a form. */
async function uploadedBytes(request: IncomingMessage): Promise<Buffer> {
  const raw = await buffer(request);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return raw;
  const form = await new Response(raw, { headers: { "content-type": type } }).formData();
  for (const [, part] of form) {
    if (typeof part !== "string") return Buffer.from(await part.arrayBuffer());
  }
  return Buffer.alloc(0);
}

/** Without a valid token Slack redirects to its sign-in page instead of refusing. */
function sendFile(
  world: World,
  [place = ""]: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [teamId = "", fileId = ""] = place.split("-");
  const token = world.tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  const isAllowed = token?.team?.id === teamId && !token.error && token.scopes.has("files:read");
  const file = world.teams.get(teamId)?.files.get(fileId);
  if (!isAllowed || !file) {
    response.writeHead(302, { location: "/sign-in" });
    response.end();
    return;
  }
  response.writeHead(200, { "content-type": file.mimetype });
  response.end(file.content);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Fields,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/html" });
  response.end(text);
}
