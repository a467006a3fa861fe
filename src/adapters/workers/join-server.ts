import { setTimeout as delay } from "node:timers/promises";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Log } from "../../app/ports/world.ts";
import { createPeer, type Handlers, type Peer } from "../../base/peer.ts";
import type { WorkerHello, WorkerWelcome } from "../../contract/workers/messages.ts";
import { WorkerRefused } from "./open-server.ts";
import type { WorkerLease } from "./worker-lease.ts";

const ASK_AGAIN_MS = 250;

const texts = z.object({ en: z.string(), ja: z.string() });
const helloAnswer = z.union([
  z.object({ refused: z.object({ code: z.string(), texts }) }),
  z.object({ later: z.literal(true) }),
  z.object({
    name: z.string(),
    version: z.string(),
    leaseMs: z.number().positive(),
    agents: z.object({
      hardKillAfterMs: z.number(),
      maxOutputBytes: z.number(),
      variables: z.array(z.string()),
      acpCommand: z.array(z.string()),
    }),
  }),
]);

export type JoinServer = {
  readonly hello: () => WorkerHello | Promise<WorkerHello>;
  readonly handlers: Handlers;
  readonly log: Log;
};

type Connection = {
  readonly server: URL;
  readonly socket: WebSocket;
  readonly mine: Peer;
  readonly ended: Promise<void>;
};

/** Admitted: the server has begun an epoch for this connection. */
export type Joined = Connection & { readonly welcome: WorkerWelcome; readonly askedAt: number };

/** Says hello over an open connection. It is closed if the server does not admit this worker. */
export async function joinServer(
  options: JoinServer,
  server: URL,
  socket: WebSocket,
  lease: WorkerLease | undefined,
  withinMs: number | undefined,
): Promise<Joined> {
  const connection = usePeer(server, socket, options);
  try {
    return { ...connection, ...(await greet(connection.mine, options, lease, withinMs)) };
  } catch (error) {
    connection.mine.ended();
    socket.terminate();
    throw error;
  }
}

function usePeer(server: URL, socket: WebSocket, { log, handlers }: JoinServer): Connection {
  const mine = createPeer(
    {
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code, reason),
    },
    handlers,
  );
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", (error) => log.debug("The connection failed.", { error: error.message }));
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) mine.receive(data.toString());
  });
  socket.once("close", () => mine.ended());
  return { server, socket, mine, ended };
}

async function greet(
  mine: Peer,
  { hello }: JoinServer,
  lease: WorkerLease | undefined,
  withinMs: number | undefined,
): Promise<Pick<Joined, "welcome" | "askedAt">> {
  for (;;) {
    const said = await hello();
    const askedAt = performance.now();
    const hasLease = lease?.isHeld() ?? false;
    const answer = helloAnswer.parse(await mine.call("hello", { ...said, hasLease }, withinMs));
    if ("refused" in answer) throw new WorkerRefused(answer.refused.texts);
    if (!("later" in answer)) return { welcome: answer, askedAt };
    // Servers are about to settle what an earlier process of this worker left.
    lease?.end();
    await delay(ASK_AGAIN_MS);
  }
}
