import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Texts } from "../../domain/locale.ts";
import { SpokenError } from "../../domain/spoken-error.ts";
import { findPortOwner } from "./find-port-owner.ts";

const TRIES = 50;
const RETRY_MS = 50;

export type ListenOptions = {
  readonly host: string;
  readonly port: number;
  /** The user chose this port (--port, KUROMAJUTSU_PORT). */
  readonly explicit: boolean;
  /** How long to retry a taken port: running agents know its number. */
  readonly insistMs?: number;
};

/**
 * Listens on the wanted port or else on the next free one, because a taken port must not keep the
 * daemon from starting. Only a taken port that the user chose explicitly is an error.
 */
export async function listen(server: Server, options: ListenOptions): Promise<number> {
  const { host, port, explicit } = options;
  const insisted = await tryFor(server, options, options.insistMs ?? 0);
  if (insisted !== undefined) return insisted;
  for (let candidate = port; candidate < port + TRIES && candidate < 65_536; candidate++) {
    const got = await tryListen(server, host, candidate);
    if (got !== undefined) return got;
    if (explicit) throw new SpokenError(await takenMessage(host, port));
  }
  const any = await tryListen(server, host, 0);
  if (any === undefined) throw new Error(`No port is free on ${host}.`);
  return any;
}

/**
 * Refuses a taken port that the user chose. Called before a client is served: loading the HTTP door
 * takes time, and a client must not be served by a daemon that will not start.
 */
export async function requireFreePort({ host, port, explicit }: ListenOptions): Promise<void> {
  if (!explicit) return;
  const probe = createServer();
  const got = await tryListen(probe, host, port);
  if (got === undefined) throw new SpokenError(await takenMessage(host, port));
  await new Promise((resolve) => probe.close(resolve));
}

async function tryFor(
  server: Server,
  { host, port }: ListenOptions,
  insistMs: number,
): Promise<number | undefined> {
  for (const giveUpAt = Date.now() + insistMs; Date.now() < giveUpAt;) {
    const got = await tryListen(server, host, port);
    if (got !== undefined) return got;
    await sleep(RETRY_MS);
  }
  return undefined;
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

async function takenMessage(host: string, port: number): Promise<Texts> {
  const holder = await findPortOwner(host, port);
  return {
    en: `Port ${port} on ${host} is taken by ${holder ?? "another program"}. Stop it, or choose another port with --port or KUROMAJUTSU_PORT (without either, the next free port is used).`,
    ja: `${host} のポート ${port} は ${holder ?? "ほかのプログラム"} が使っています。それを止めるか、--port か KUROMAJUTSU_PORT で別のポートを指定してください（どちらも指定しなければ、次の空きポートを使います）。`,
  };
}
