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

/** One connection that is kept, as a browser keeps it. */
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

test("where every sender is known, a further connection gets 503, and so does a WebSocket", async () => {
  const connections = limitConnections({ max: 2 });
  const { url } = await anHttpDoor(await aCore(), { connections });
  const watching = [await aDashboard(url), await aDashboard(url)];

  const answer = await aKeptConnection(url)("/api/groups");

  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  await expect(aLiveSocket(url)).rejects.toThrow("503");
  watching[0]?.socket.terminate();
  await until(async () => (await aKeptConnection(url)("/api/groups")).status === 200);
  expect(watching[1]?.closed()).toBe(false);
});

test("refused connections that stay silent are few, and closed", async () => {
  const connections = limitConnections({ max: 1 });
  const { url } = await anHttpDoor(await aCore(), { connections });
  const watching = await aDashboard(url);
  const flood: Idle[] = [];
  for (let n = 0; n < 40; n++) flood.push(await idle(url));

  await until(() => flood.filter(({ isClosed }) => !isClosed()).length <= 16);
  await until(() => flood.every(({ isClosed }) => isClosed()));
  expect(watching.closed()).toBe(false);
});

test("WebSockets are bounded, also those that come at the same time", async () => {
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
