// Forwards requests of the development page to the daemon's current address.
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type DaemonAddress = () => URL | undefined;

const OF_THE_DAEMON = /^\/(?:api|mcp|ws|slack)(?:[/?]|$)/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** A restart takes a few seconds; requests wait for it. */
const RESTART_MS = 20_000;
const LOOK_EVERY_MS = 50;

export function isForDaemon(url: string | undefined): boolean {
  return OF_THE_DAEMON.test(url ?? "");
}

export async function proxyRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  address: DaemonAddress,
): Promise<void> {
  const until = performance.now() + RESTART_MS;
  for (;;) {
    const daemon = await waitFor(address, until);
    if (!daemon) return fail(response);
    const isSent = await send(incoming, response, daemon);
    if (isSent) return;
    // The daemon ended during the request. Only requests that change nothing are repeated.
    if (incoming.method !== "GET" || performance.now() > until) return fail(response);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Resolves with false if there was no answer. */
function send(incoming: IncomingMessage, response: ServerResponse, daemon: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request(
      new URL(incoming.url ?? "/", daemon),
      { method: incoming.method, headers: headersFor(incoming, daemon) },
      (answer) => {
        resolve(true);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once("error", () => response.destroy());
      },
    );
    outgoing.once("error", () => resolve(false));
    response.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
}

/** The daemon answers the handshake; afterwards bytes are only forwarded. */
export function proxyUpgrade(
  incoming: IncomingMessage,
  client: Socket,
  head: Buffer,
  address: DaemonAddress,
): void {
  client.on("error", () => {});
  const daemon = address();
  // The page reconnects.
  if (!daemon) return void client.destroy();
  const upstream = connectTo(daemon, () => {
    const headers = Object.entries(headersFor(incoming, daemon)).flatMap(([name, value]) =>
      [value ?? []].flat().map((each) => `${name}: ${each}\r\n`),
    );
    upstream.write(`GET ${incoming.url ?? "/"} HTTP/1.1\r\n${headers.join("")}\r\n`);
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.on("error", () => client.destroy());
  upstream.once("close", () => client.destroy());
  client.once("close", () => upstream.destroy());
}

/**
 * The daemon compares Host and Origin with its own address. Only requests of the
 * development page are translated: a request with another site's origin or name must still be refused.
 */
function headersFor(incoming: IncomingMessage, daemon: URL): IncomingMessage["headers"] {
  const { host = "", origin } = incoming.headers;
  if (!LOOPBACK.has(hostnameOf(host))) return incoming.headers;
  const isOwn = origin === `http://${host}`;
  return { ...incoming.headers, host: daemon.host, ...(isOwn && { origin: daemon.origin }) };
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? "";
}

async function waitFor(address: DaemonAddress, until: number): Promise<URL | undefined> {
  for (;;) {
    const daemon = address();
    // A daemon that is ending still has its file, and a starting one writes it early.
    if (daemon && (await isListening(daemon))) return daemon;
    if (performance.now() > until) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

function isListening(daemon: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connectTo(daemon, () => resolve(true));
    probe.once("connect", () => probe.destroy());
    probe.once("error", () => resolve(false));
  });
}

function connectTo({ port, hostname }: URL, onConnect: () => void): Socket {
  return connect(Number(port), hostname.replaceAll(/[[\]]/g, ""), onConnect);
}

function fail(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(503, { "content-type": "application/problem+json", "retry-after": "1" });
  const detail = "The daemon is not running. The terminal with `npm run dev` says why.";
  response.end(JSON.stringify({ title: "UNREACHABLE", status: 503, code: "UNREACHABLE", detail }));
}
