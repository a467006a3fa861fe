import { once } from "node:events";
import { WebSocket } from "ws";

/** A connected dashboard that has sent its hello; every message goes to `take`. */
export async function aLiveSocket(url: string, take: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
  await once(socket, "open");
  socket.on("message", (data) => take(Buffer.isBuffer(data) ? data.toString() : ""));
  socket.send('{"t":"hello"}');
  return socket;
}
