import type { Socket } from "node:net";
import type { ControlHello, DaemonStatus } from "../../contract/hello.ts";
import { VERSION } from "../version.ts";
import { connectToRunning, type DaemonPlace } from "./connect-or-start.ts";

/** Sends one command to the running daemon; undefined if none runs. */
export async function askDaemon(
  place: Pick<DaemonPlace, "socketPath" | "dataDir">,
  command: ControlHello["command"],
): Promise<DaemonStatus | undefined> {
  const socket = await connectToRunning(place);
  return socket && askOn(socket, command);
}

/** Sends the command over an open connection, which the daemon closes after its answer. */
export async function askOn(
  socket: Socket,
  command: ControlHello["command"],
): Promise<DaemonStatus> {
  const hello: ControlHello = { kind: "control", version: VERSION, command };
  socket.write(`${JSON.stringify(hello)}\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
