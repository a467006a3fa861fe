import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { MAX_WORKER_MESSAGE_BYTES, WORKER_PATH } from "../../contract/workers/messages.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Worker } from "../../domain/workers/worker.ts";
import type { AllowedNames } from "../http/guard.ts";
import type { Authenticator } from "../http/identify-request.ts";
import { refuseUpgrade, whyNotUpgraded } from "../http/live/upgrade.ts";
import { bearerIn } from "../mcp/identify.ts";
import { inTime } from "./in-time.ts";
import { serveWorker, type WorkerConnection, type WorkerDoorOptions } from "./worker-connection.ts";

export type WorkerDoor = {
  /** Whether the request is for this door. */
  takes(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

export type OpenWorkerDoor = AllowedNames &
  WorkerDoorOptions & { readonly authenticator: Pick<Authenticator, "wrongTokens" | "addressIn"> };

/** The door of workers: one WebSocket each, opened with the worker's own token. */
export function createWorkerDoor(options: OpenWorkerDoor): WorkerDoor {
  const { core, workers, authenticator } = options;
  const connections = new Set<WorkerConnection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_WORKER_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  function welcome(socket: WebSocket, worker: Worker): void {
    const connection = serveWorker(options, worker, {
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code, reason),
    });
    connections.add(connection);
    socket.on("message", (data, isBinary) => {
      if (!isBinary && Buffer.isBuffer(data)) connection.receive(data.toString());
    });
    socket.on("error", (error) =>
      core.log.debug("The connection of a worker failed.", { error: error.message }),
    );
    socket.on("close", () => {
      connections.delete(connection);
      connection
        .ended()
        .catch((error: unknown) =>
          core.log.error("A worker could not be let go.", { error: String(error) }),
        );
    });
  }

  /** Never rejects: nothing awaits it. */
  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // The worker may disconnect while it is identified.
    socket.on("error", ignore);
    try {
      const worker = await identify(request);
      socket.off("error", ignore);
      sockets.handleUpgrade(request, socket, head, (opened) => welcome(opened, worker));
    } catch (error) {
      const isWrong = error instanceof Refusal && error.code === "NOT_SIGNED_IN";
      if (!isWrong) core.log.warn("A worker was not admitted.", { error: String(error) });
      const status = isWrong ? 401 : 503;
      const code = isWrong ? "NOT_SIGNED_IN" : "STORE_UNAVAILABLE";
      refuseUpgrade(socket, { status, code, detail: String(error) });
    }
  }

  async function identify(request: IncomingMessage): Promise<Worker> {
    const token = bearerIn(request.headers.authorization);
    const worker =
      token === undefined
        ? undefined
        : await inTime(workers.findByToken(core.tokens.hash(token)), options.leaseMs);
    if (worker) return worker;
    const address = authenticator.addressIn(request);
    throw await authenticator.wrongTokens.refuse({ address, at: "request" }, unknownToken());
  }

  return {
    takes: ({ url = "" }) => url.split("?")[0] === WORKER_PATH,
    upgrade(request, socket, head) {
      const why = whyNotUpgraded(request, options, [WORKER_PATH]);
      if (why) return refuseUpgrade(socket, why);
      void admit(request, socket, head);
    },
    close() {
      for (const connection of connections) connection.close();
      sockets.close();
    },
  };
}

function ignore(): void {}

function unknownToken(): Refusal {
  return new Refusal("NOT_SIGNED_IN", {
    en: [
      "This token belongs to no worker.",
      "It may have been revoked. Make one with `kuromajutsu worker add NAME`.",
    ],
    ja: [
      "このトークンのワーカーはありません。",
      "取り消された可能性があります。`kuromajutsu worker add 名前` で作ってください。",
    ],
  });
}
