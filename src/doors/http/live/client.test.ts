import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { until } from "../../../../test/kit/daemon.ts";
import { LiveClient, MAX_BUFFERED_BYTES } from "./client.ts";

/** Both ends of one real connection. */
async function aPair() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  await new Promise<void>((resolve) => server.once("listening", resolve));
  const accepted = new Promise<WebSocket>((resolve) => server.once("connection", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const remote = new WebSocket(`ws://127.0.0.1:${port}`);
  const socket = await accepted;
  onTestFinished(() => {
    remote.terminate();
    socket.terminate();
  });
  await until(() => remote.readyState === WebSocket.OPEN);
  return { client: new LiveClient(socket), socket, remote };
}

const MESSAGE = Buffer.alloc(100_000, "x");

test("a client that does not read is sent at most a megabyte and one message", async () => {
  const { client, socket, remote } = await aPair();
  remote.pause();

  let most = 0;
  for (let sent = 0; sent < 500; sent++) {
    client.send(MESSAGE);
    most = Math.max(most, socket.bufferedAmount);
    if (sent % 10 === 0) await sleep(1);
  }

  expect(client.send(MESSAGE)).toBe(false);
  expect(most).toBeGreaterThan(MAX_BUFFERED_BYTES);
  expect(most).toBeLessThan(MAX_BUFFERED_BYTES + 2 * MESSAGE.length);
});

test("a lagging client that reads again is reported once and can be sent to", async () => {
  const { client, remote } = await aPair();
  let drained = 0;
  client.onDrained = () => drained++;
  remote.pause();
  while (client.send(MESSAGE)) await sleep(0);

  remote.resume();
  await until(() => drained > 0);

  expect(client.send(MESSAGE)).toBe(true);
  await sleep(20);
  expect(drained).toBe(1);
});

test("a client is disconnected if it reads nothing for too long, not while it still reads", async () => {
  const { client, socket, remote } = await aPair();
  remote.pause();
  while (client.send(MESSAGE)) await sleep(0);

  client.beat(60_000);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await sleep(2);
  client.beat(1);

  expect(socket.readyState).not.toBe(WebSocket.OPEN);
});
