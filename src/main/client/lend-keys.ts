import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { vendorKeysIn, type KeysHello, type KeyTicket } from "../../contract/hello.ts";
import { VERSION } from "../version.ts";

/**
 * Returns a function that lends the vendor keys of this terminal to the daemon and resolves to the
 * ticket for them. After a restart of the daemon the next call lends them again.
 */
export function createKeyLender(
  connect: () => Promise<Socket | undefined>,
): () => Promise<string | undefined> {
  const keys = vendorKeysIn(process.env);
  if (Object.keys(keys).length === 0) return () => Promise.resolve(undefined);
  let ticket: Promise<string | undefined> | undefined;
  const forget = (): void => {
    ticket = undefined;
  };
  return () => (ticket ??= connect().then((socket) => socket && lend(socket, keys, forget)));
}

async function lend(
  socket: Socket,
  keys: KeysHello["keys"],
  onClose: () => void,
): Promise<string | undefined> {
  socket.on("error", () => {});
  socket.once("close", onClose);
  const hello: KeysHello = { kind: "keys", version: VERSION, keys };
  socket.write(`${JSON.stringify(hello)}\n`);
  const answer = await new Promise<string | undefined>((resolve) => {
    createInterface({ input: socket }).once("line", resolve);
    // A daemon of an earlier version closes the connection instead of answering.
    socket.once("close", () => resolve(undefined));
  });
  // The connection must not keep this process alive.
  socket.unref();
  if (answer === undefined) return undefined;
  const { ticket }: KeyTicket = JSON.parse(answer);
  return ticket;
}
