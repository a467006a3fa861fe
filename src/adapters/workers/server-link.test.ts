import { createServer as createHttpServer, type Server } from "node:http";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { until } from "../../../test/kit/daemon.ts";
import { createPeer } from "../../base/peer.ts";
import { createServerLink } from "./server-link.ts";

const LEASE_MS = 4_000;
const AGENTS = { hardKillAfterMs: 1, maxOutputBytes: 1, variables: [], acpCommand: [] };

async function listening(server: Server | NetServer): Promise<URL> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  return new URL(`http://127.0.0.1:${address.port}`);
}

/** A server that takes every worker, until it dies. */
async function aTakingServer() {
  const http = createHttpServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", (socket) => {
    const peer = createPeer(
      { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) },
      {
        hello: () => ({ name: "build-1", version: "1.0.0", leaseMs: LEASE_MS, agents: AGENTS }),
        ready: () => ({}),
        beat: () => "held",
      },
    );
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data)) peer.receive(data.toString());
    });
  });
  const url = await listening(http);
  return {
    url,
    die(): void {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
    },
  };
}

/** Accepts connections and never answers. */
function aSilentServer(): Promise<URL> {
  const open = new Set<Socket>();
  onTestFinished(() => open.forEach((socket) => socket.destroy()));
  return listening(createServer((socket) => void open.add(socket)));
}

function aRefusingServer(status: number): Promise<URL> {
  return listening(createHttpServer((_request, response) => response.writeHead(status).end()));
}

function aLink(servers: readonly URL[]) {
  const refusals: string[] = [];
  const warnings: string[] = [];
  const seen = { admitted: 0, leaseEnded: 0, refusals, warnings };
  const link = createServerLink({
    servers,
    token: "token",
    hello: () => ({
      protocol: 1,
      host: "host",
      pid: 1,
      version: "1.0.0",
      slots: 1,
      labels: [],
      runners: [],
      now: 0,
      instance: "instance",
      isDraining: false,
    }),
    handlers: {},
    log: {
      debug() {},
      info() {},
      warn: (message) => void seen.warnings.push(message),
      error() {},
    },
    async onAdmitted() {
      seen.admitted += 1;
    },
    onReady() {},
    onDisconnected() {},
    onLeaseEnded: () => void (seen.leaseEnded += 1),
    onRefused: ({ message }) => void seen.refusals.push(message),
  });
  onTestFinished(() => link.close());
  link.start();
  return seen;
}

test("a worker whose server dies passes by one that is silent and one that refuses it, within its lease", async () => {
  const first = await aTakingServer();
  const last = await aTakingServer();
  const seen = aLink([first.url, await aSilentServer(), await aRefusingServer(404), last.url]);
  await until(() => seen.admitted === 1);

  first.die();

  await until(() => seen.admitted === 2);
  expect(seen).toMatchObject({ leaseEnded: 0, refusals: [] });
  expect(seen.warnings).toContain("The server refuses this worker; trying again.");
});

test("a worker that all of its servers refuse ends with the reason", async () => {
  const seen = aLink([await aRefusingServer(404), await aRefusingServer(401)]);

  await until(() => seen.refusals.length > 0);

  expect(seen.refusals).toEqual([expect.stringContaining("does not know the token")]);
  expect(seen.admitted).toBe(0);
});
