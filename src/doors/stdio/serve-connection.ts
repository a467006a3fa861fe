import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { createLineSplitter } from "../../base/lines.ts";
import type { ClientSide, ClientSideOptions } from "./client-side.ts";
import { type Conversation, isInitialize } from "./conversation.ts";

export type ServeConnection = {
  readonly client: ClientSide;
  readonly conversation: Conversation;
  readonly streams: Pick<ClientSideOptions, "input" | "output" | "hello">;
  /** We had to start the daemon: no listener of an earlier one was left. */
  readonly isAlive: boolean;
};

/** Pipes lines through one connection until the daemon closes it or the client has left. */
export async function serveConnection(
  socket: Socket,
  { client, conversation, streams, isAlive }: ServeConnection,
): Promise<{ readonly isServed: boolean; readonly hasLeft: boolean }> {
  const { held } = client;
  const { input, output, hello } = streams;
  /**
   * The kernel accepts connections for a killed daemon until its listener is closed, and a call sent
   * into one would be lost. So calls are held until the daemon has answered a first request: `asked`,
   * then `proved`.
   */
  let life: "unasked" | "asked" | "proved" = isAlive ? "proved" : "unasked";
  let isServed = false;

  const pass = (line: string): void => {
    conversation.fromClient(line);
    if (!socket.write(`${line}\n`)) pauseUntilDrained(input, socket);
  };
  /** Sends a probe; false if the client has sent nothing to build one from. */
  const askForLife = (first: string): boolean => {
    // Sending a handshake twice is safe: unanswered, it is replayed to the next daemon.
    if (isInitialize(first)) {
      held.shift();
      pass(first);
      return true;
    }
    const probe = conversation.probe(held);
    if (probe !== undefined) socket.write(`${probe}\n`);
    return probe !== undefined;
  };
  const flush = (): void => {
    const [first] = held;
    if (first === undefined) return;
    if (life === "unasked") life = askForLife(first) ? "asked" : "proved";
    if (life === "proved") for (const line of held.splice(0)) pass(line);
  };
  const onLine = (line: string): void => {
    isServed = true;
    life = "proved";
    flush();
    if (conversation.fromDaemon(line) && !output.write(`${line}\n`)) {
      pauseUntilDrained(socket, output);
    }
    client.answered();
  };

  const closed = new Promise<false>((resolve) => socket.once("close", () => resolve(false)));
  socket.on("data", createLineSplitter(onLine).push);
  socket.on("error", () => {});
  const replayed = conversation.replay();
  for (const line of [JSON.stringify(hello), ...replayed]) socket.write(`${line}\n`);
  if (!isAlive && replayed.some(isInitialize)) life = "asked";
  client.attach(flush);
  flush();
  const hasLeft = await Promise.race([closed, client.left()]);
  client.attach(undefined);
  if (hasLeft) socket.destroy();
  return { isServed, hasLeft };
}

function pauseUntilDrained(source: Readable, target: Writable): void {
  source.pause();
  const goOn = (): void => {
    target.off("drain", goOn);
    target.off("close", goOn);
    source.resume();
  };
  target.once("drain", goOn);
  target.once("close", goOn);
}
