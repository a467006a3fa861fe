import { connect, type Socket } from "node:net";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpHello } from "../contract/hello.ts";

/** Speaks to our MCP server through the local socket, as the shim does for other CLIs. */
export async function createSocketTransport(path: string, hello: McpHello): Promise<Transport> {
  const { ReadBuffer, serializeMessage } = await import("@modelcontextprotocol/client");
  const received = new ReadBuffer();
  let socket: Socket | undefined;
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        const opened = connect(path);
        socket = opened;
        opened.once("error", reject);
        opened.once("connect", () => {
          opened.write(`${JSON.stringify(hello)}\n`);
          resolve();
        });
        opened.on("error", (error) => transport.onerror?.(error));
        opened.on("close", () => transport.onclose?.());
        opened.on("data", take);
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!socket || socket.destroyed) return reject(new Error("The socket is closed."));
        socket.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      socket?.destroy();
    },
  };

  function take(chunk: Buffer): void {
    received.append(chunk);
    for (let message = next(); message !== null; message = next()) transport.onmessage?.(message);
  }

  function next(): JSONRPCMessage | null {
    try {
      return received.readMessage();
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return next();
    }
  }

  return transport;
}
