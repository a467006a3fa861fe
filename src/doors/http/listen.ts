import type { Server } from "node:http";
import { whoHolds } from "./who-holds.ts";

const TRIES = 50;

export type ListenOptions = {
  readonly host: string;
  readonly port: number;
  /** The user asked for exactly this port (--port, KUROMAJUTSU_PORT). */
  readonly explicit: boolean;
};

/**
 * The wanted port, else the next free one: a taken port must not close the other doors. Only a
 * port somebody asked for by name is an error when taken.
 */
export async function listen(server: Server, options: ListenOptions): Promise<number> {
  const { host, port, explicit } = options;
  for (let candidate = port; candidate < port + TRIES && candidate < 65_536; candidate++) {
    const got = await tryListen(server, host, candidate);
    if (got !== undefined) return got;
    if (explicit) throw new Error(await takenMessage(host, port));
  }
  const any = await tryListen(server, host, 0);
  if (any === undefined) throw new Error(`No port is free on ${host}.`);
  return any;
}

function tryListen(server: Server, host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      if (error.code === "EADDRINUSE") return resolve(undefined);
      reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}`));
    };
    server.once("error", failed);
    server.listen(port, host, () => {
      server.off("error", failed);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

async function takenMessage(host: string, port: number): Promise<string> {
  const holder = (await whoHolds(host, port)) ?? "another program";
  return `Port ${port} on ${host} is taken by ${holder}. Stop it, or choose another port with --port or KUROMAJUTSU_PORT (without either, the next free port is used).`;
}
