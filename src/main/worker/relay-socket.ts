import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { ensurePrivateDir } from "../../adapters/config/locate.ts";
import type { Log } from "../../app/ports/world.ts";
import { createRelayStreams } from "../../base/relay-streams.ts";
import { relayShape } from "../../contract/workers/messages.ts";

export type RelaySocket = {
  /** A piece that came from the server. */
  receive(piece: unknown): void;
  connected(): void;
  /** Programs that were connected connect again. */
  disconnected(): void;
  close(): Promise<void>;
};

/**
 * The local socket that agents reach our MCP server through. What they send goes to the server that
 * the worker is connected to; without one they wait.
 */
export async function openRelaySocket(options: {
  readonly path: string;
  readonly log: Log;
  readonly tell: (name: "relay", piece: unknown) => void;
}): Promise<RelaySocket> {
  const { path, log, tell } = options;
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  let isConnected = false;
  const streams = createRelayStreams({ send: (piece) => tell("relay", piece) });

  function relay(socket: Socket): void {
    const stream = streams.open();
    socket.pipe(stream);
    stream.pipe(socket);
    socket.once("close", () => stream.destroy());
    stream.once("close", () => socket.destroy());
  }

  const net = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", (error) => log.debug("A socket failed.", { error: error.message }));
    socket.once("close", () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
    if (isConnected) relay(socket);
    else waiting.add(socket);
  });
  net.on("error", (error) => log.warn("The socket reports an error.", { error: String(error) }));
  ensurePrivateDir(dirname(path));
  // The worker holds the lock of its data directory, so an existing socket file is a left-over.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    net.once("error", reject);
    net.listen(path, () => {
      net.off("error", reject);
      resolve();
    });
  });

  return {
    receive: (piece) => streams.receive(relayShape.parse(piece)),
    connected() {
      isConnected = true;
      for (const socket of waiting) relay(socket);
      waiting.clear();
    },
    disconnected() {
      isConnected = false;
      streams.end();
    },
    async close() {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  };
}
