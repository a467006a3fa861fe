/**
 * The floor of live events: a WebSocket server that does nothing else. It answers `listen` with its
 * address; on `send` it sends frames like ours for two seconds.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";
import { sleep } from "./kit/stats.ts";

const FRAMES = 10;
const EVERY_MS = 200;
const EVENTS = 10;

const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
let seq = 0;
server.on("connection", (socket) => {
  socket.once("message", () => socket.send(JSON.stringify({ t: "snapshot", seq })));
});
await once(server, "listening");
const address = server.address();

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "send") await send();
  const port = typeof address === "object" ? address?.port : address;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
}
process.exit(0);

async function send(): Promise<void> {
  for (let i = 0; i < FRAMES; i++) {
    const at = new Date().toISOString();
    const ev = Array.from({ length: EVENTS }, (_, index) => ({
      seq: seq + 1 + index,
      type: "agent:status_update",
      data: { at, status: "running", lastMessage: "lorem ipsum dolor ".repeat(15) },
    }));
    const frame = { t: "events", from: seq + 1, to: seq + EVENTS, ev };
    seq += EVENTS;
    const message = Buffer.from(JSON.stringify(frame));
    for (const client of server.clients) client.send(message, { binary: false });
    await sleep(EVERY_MS);
  }
}
