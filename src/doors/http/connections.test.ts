import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { until } from "../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aDashboard, aLiveSocket } from "../../../test/kit/live-client.ts";
import { aCoreWithPeople, tokenOf } from "../../../test/kit/people.ts";
import { limitConnections } from "../limit-connections.ts";
import { createHttpServer } from "./http-server.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Idle = { readonly socket: Socket; readonly isClosed: () => boolean };

async function idle(url: string): Promise<Idle> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let isClosed = false;
  socket.on("close", () => (isClosed = true));
  socket.on("error", () => {});
  socket.resume();
  await once(socket, "connect");
  return { socket, isClosed: () => isClosed };
}

/** One keep-alive connection, like a browser's. */
function aKeptConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; port: number | undefined; headers: unknown }>(
      (resolve, reject) => {
        request(new URL(path, url), { agent, headers }, (response) => {
          const { statusCode = 0, socket } = response;
          const { localPort: port } = socket;
          response.resume();
          response.on("end", () =>
            resolve({ status: statusCode, port, headers: response.headers }),
          );
        })
          .on("error", reject)
          .end();
      },
    );
}

test("a flood of idle connections closes the oldest of them, and requests are answered", async () => {
  let warnings = 0;
  const connections = limitConnections({ max: 5, onFull: () => warnings++ });
  const { url } = await anHttpDoor(await aCore(), { connections });
  const flood: Idle[] = [];
  for (let n = 0; n < 40; n++) flood.push(await idle(url));

  await until(() => flood.filter(({ isClosed }) => !isClosed()).length === 5);
  expect(flood.slice(-5).some(({ isClosed }) => isClosed())).toBe(false);
  expect((await aKeptConnection(url)("/api/groups")).status).toBe(200);
  expect(warnings).toBe(1);
});

test("a connection whose sender is known outlives the flood; one that showed a wrong token does not", async () => {
  const connections = limitConnections({ max: 5 });
  const { url } = await anHttpDoor(await aCoreWithPeople({ ben: "operator" }), { connections });
  const [known, wrong] = [aKeptConnection(url), aKeptConnection(url)];
  const before = await known("/api/me", bearer(tokenOf("ben")));
  const refused = await wrong("/api/me", bearer("nonsense"));
  const watching = await aDashboard(url, {}, { headers: bearer(tokenOf("ben")) });

  const flood: Idle[] = [];
  for (let n = 0; n < 10; n++) flood.push(await idle(url));
  await until(() => flood.filter(({ isClosed }) => !isClosed()).length === 3);

  const after = await known("/api/me", bearer(tokenOf("ben")));
  expect([before.status, after.status, after.port]).toEqual([200, 200, before.port]);
  expect(watching.closed()).toBe(false);
  const again = await wrong("/api/me", bearer("nonsense")).catch(() => undefined);
  expect(again?.port).not.toBe(refused.port);
});

test("if every known sender has one connection, another connection or WebSocket gets 503", async () => {
  const connections = limitConnections({ max: 2 });
  const core = await aCoreWithPeople({ ben: "operator", aoi: "admin" });
  const { url } = await anHttpDoor(core, { connections });
  const watch = (id: string) => aDashboard(url, {}, { headers: bearer(tokenOf(id)) });
  const watching = [await watch("ben"), await watch("aoi")];
  const ask = () => aKeptConnection(url)("/api/me", bearer(tokenOf("ben")));

  expect(await ask()).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  await expect(aLiveSocket(url)).rejects.toThrow("503");
  watching[0]?.socket.terminate();
  await until(async () => (await ask()).status === 200);
  expect(watching[1]?.closed()).toBe(false);
});

/** Sends the head of a request and one byte of its body. */
async function slowBody(
  url: string,
  headers: Record<string, string> = {},
  path = "/mcp",
): Promise<Idle> {
  const slow = await idle(url);
  const head = { host: new URL(url).host, "content-length": "100", ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  slow.socket.write(
    `POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\n${lines.join("")}\r\n{`,
  );
  return slow;
}

test("requests whose bodies do not arrive make room for others", async () => {
  const connections = limitConnections({ max: 6 });
  const { url } = await anHttpDoor(await aCore(), { connections });
  const slow: Idle[] = [];
  for (let n = 0; n < 20; n++) slow.push(await slowBody(url));
  await until(() => slow.filter(({ isClosed }) => !isClosed()).length === 6);

  const kept = aKeptConnection(url);
  for (let n = 0; n < 3; n++) expect((await kept("/api/health")).status).toBe(200);
});

test.each(["/mcp", "/api/groups"])(
  "a body that breaks off at %s is no error in the log",
  async (path) => {
    const errors: string[] = [];
    const answers: number[] = [];
    const core = await aCore();
    const log = { ...core.log, error: (message: string) => void errors.push(message) };
    const { url } = await anHttpDoor({ ...core, log });
    const slow = await slowBody(url, {}, path);
    await until(async () => (await aKeptConnection(url)("/api/health")).status === 200);
    slow.socket.destroy();
    await until(() => slow.isClosed());
    for (let n = 0; n < 5; n++) answers.push((await aKeptConnection(url)("/api/health")).status);

    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect(errors).toEqual([]);
  },
);

test("a known connection with an unfinished body does not keep its place", async () => {
  const connections = limitConnections({ max: 6 });
  const { url } = await anHttpDoor(await aCoreWithPeople({ ben: "operator" }), { connections });
  const kept = await idle(url);
  const { host } = new URL(url);
  const authorization = `authorization: Bearer ${tokenOf("ben")}`;
  kept.socket.write(`GET /api/me HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\n\r\n`);
  await once(kept.socket, "data");
  kept.socket.write(
    `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\ncontent-length: 100\r\n\r\n{`,
  );
  for (let n = 0; n < 20; n++) await slowBody(url, bearer(tokenOf("ben")));

  await until(() => kept.isClosed());
  expect(connections.countKnown()).toBe(0);
});

test("one sender's connections take at most half of the places, and its idle ones are closed first", async () => {
  const connections = limitConnections({ max: 8 });
  const core = await aCoreWithPeople({ ben: "operator", aoi: "admin" });
  const { url } = await anHttpDoor(core, { connections });
  const watching = await aDashboard(url, {}, { headers: bearer(tokenOf("ben")) });
  const other = aKeptConnection(url);
  const before = await other("/api/me", bearer(tokenOf("aoi")));
  for (let n = 0; n < 20; n++) {
    const ask = aKeptConnection(url);
    expect((await ask("/api/me", bearer(tokenOf("ben")))).status).toBe(200);
  }

  expect(connections.countKnown()).toBe(5);
  expect(watching.closed()).toBe(false);
  expect((await other("/api/me", bearer(tokenOf("aoi")))).port).toBe(before.port);
});

test("requests that are not received in time are closed; an answer may take longer", async () => {
  const answered = Promise.withResolvers<Response>();
  const server = createHttpServer({
    answer: (asked) => (asked.method === "GET" ? answered.promise : asked.text().then(reply)),
    // Long enough for the request of a busy machine.
    firstRequestMs: 500,
    wholeRequestMs: 600,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const waiting = aKeptConnection(url)("/");
  const slow = await slowBody(url);

  await until(() => slow.isClosed());
  const later = await slowBody(url);
  await until(() => later.isClosed());
  answered.resolve(new Response("x"));
  expect((await waiting).status).toBe(200);
});

const reply = (text: string) => new Response(text);

test("few refused connections may stay silent, and they are closed", async () => {
  const connections = limitConnections({ max: 1 });
  const { url } = await anHttpDoor(await aCore(), { connections });
  const watching = await aDashboard(url);
  const flood: Idle[] = [];
  for (let n = 0; n < 40; n++) flood.push(await idle(url));

  await until(() => flood.filter(({ isClosed }) => !isClosed()).length <= 16);
  await until(() => flood.every(({ isClosed }) => isClosed()));
  expect(watching.closed()).toBe(false);
});

test("the number of WebSockets is limited, even if they connect at the same time", async () => {
  const { url, live } = await anHttpDoor(await aCore(), { maxClients: 3 });

  const opened = await Promise.allSettled(Array.from({ length: 10 }, () => aLiveSocket(url)));

  expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(live.clientCount()).toBe(3);
  await expect(aLiveSocket(url)).rejects.toThrow("503");
});

test("a connection that sends no request is closed early", async () => {
  const server = createHttpServer({ answer: () => new Response("x"), firstRequestMs: 50 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const silent = await idle(`http://127.0.0.1:${port}`);
  const slow = await idle(`http://127.0.0.1:${port}`);
  slow.socket.write("GET / HTTP/1.1\r\nhost: x\r\n");

  await until(() => silent.isClosed() && slow.isClosed());
  expect(server.listening).toBe(true);
});
