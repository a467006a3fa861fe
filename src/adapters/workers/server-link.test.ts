import { createServer as createHttpServer, type Server } from "node:http";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
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

/** A server that takes every worker, until it dies, is paused, or loses its database. */
async function aTakingServer(leaseMs = LEASE_MS) {
  const http = createHttpServer();
  let hasDatabase = true;
  let knowsToken = true;
  let isPaused = false;
  let beats = 0;
  const sockets = new WebSocketServer({
    server: http,
    verifyClient: (_info, done) => {
      if (!isPaused) done(hasDatabase && knowsToken, knowsToken ? 503 : 401);
    },
  });
  const disconnectAll = () => sockets.clients.forEach((socket) => socket.terminate());
  sockets.on("connection", (socket) => {
    const peer = createPeer(
      { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) },
      {
        hello: () => ({ name: "build-1", version: "1.0.0", leaseMs, agents: AGENTS }),
        ready: () => ({}),
        beat: () => {
          beats += 1;
          return hasDatabase ? "held" : "unknown";
        },
      },
    );
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data) && !isPaused) peer.receive(data.toString());
    });
  });
  const url = await listening(http);
  return {
    url,
    beats: () => beats,
    loseDatabase(): void {
      hasDatabase = false;
    },
    pause(): void {
      isPaused = true;
    },
    revoke(): void {
      knowsToken = false;
      disconnectAll();
    },
    die(): void {
      disconnectAll();
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

test("a worker whose server falls silent passes by one that is silent, too, within its lease", async () => {
  const first = await aTakingServer();
  const last = await aTakingServer();
  const seen = aLink([first.url, await aSilentServer(), last.url]);
  await until(() => seen.admitted === 1);

  first.pause();

  await until(() => seen.admitted === 2);
  expect(seen).toMatchObject({ leaseEnded: 0, refusals: [] });
});

test("a worker whose token was revoked ends, although another of its servers is away", async () => {
  const first = await aTakingServer();
  const dead = await aTakingServer();
  dead.die();
  const seen = aLink([first.url, dead.url]);
  await until(() => seen.admitted === 1);

  first.revoke();

  await until(() => seen.refusals.length > 0);
  expect(seen.refusals).toEqual([expect.stringContaining("does not know the token")]);
});

test("a worker goes on while its server is away, although another one never knew its token", async () => {
  const first = await aTakingServer();
  const seen = aLink([first.url, await aRefusingServer(401)]);
  await until(() => seen.admitted === 1);

  first.die();
  await sleep(LEASE_MS);

  expect(seen.refusals).toEqual([]);
});

test("a worker that no server has ever known ends, although another of its servers is away", async () => {
  const dead = await aTakingServer();
  dead.die();
  const seen = aLink([await aRefusingServer(401), dead.url]);

  await until(() => seen.refusals.length > 0);
  expect(seen.refusals).toEqual([expect.stringContaining("does not know the token")]);
});

test("a worker keeps the lease of the server that it is connected to", async () => {
  const first = await aTakingServer();
  const second = await aTakingServer(900);
  const seen = aLink([first.url, second.url]);
  await until(() => seen.admitted === 1);
  first.die();
  await until(() => seen.admitted === 2);

  const before = second.beats();
  await sleep(LEASE_MS / 2);

  expect(second.beats() - before).toBeGreaterThanOrEqual(3);
  expect(seen.leaseEnded).toBe(0);
});

test("a worker that all of its servers refuse ends with the reason", async () => {
  const seen = aLink([await aRefusingServer(404), await aRefusingServer(401)]);

  await until(() => seen.refusals.length > 0);

  expect(seen.refusals).toEqual([expect.stringContaining("does not know the token")]);
  expect(seen.admitted).toBe(0);
});

test("a worker whose server has no database goes on at another one that has it", async () => {
  const first = await aTakingServer();
  const last = await aTakingServer();
  const seen = aLink([first.url, await aSilentServer(), last.url]);
  await until(() => seen.admitted === 1);

  first.loseDatabase();

  await until(() => seen.admitted === 2);
  last.loseDatabase();
  first.die();
  expect(seen).toMatchObject({ leaseEnded: 0, refusals: [] });
});

test("the lease of a worker goes on while no server that it knows has a database", async () => {
  const first = await aTakingServer();
  const second = await aTakingServer();
  const dead = await aTakingServer();
  const seen = aLink([first.url, second.url, dead.url]);
  await until(() => seen.admitted === 1);
  dead.die();

  for (const server of [first, second]) server.loseDatabase();
  await sleep(2 * LEASE_MS);

  expect(seen).toMatchObject({ admitted: 1, leaseEnded: 0, refusals: [] });
});

test("the lease of a worker ends if a server that may have a database is silent", async () => {
  const first = await aTakingServer();
  const seen = aLink([first.url, await aSilentServer()]);
  await until(() => seen.admitted === 1);

  first.loseDatabase();
  const lostAt = performance.now();

  await until(() => seen.leaseEnded === 1);
  expect(performance.now() - lostAt).toBeLessThan(LEASE_MS + 1_000);
});
