import { WebSocket } from "ws";
import { MAX_WORKER_MESSAGE_BYTES, WORKER_PATH } from "../../contract/workers/messages.ts";
import type { Texts } from "../../domain/locale.ts";
import { SpokenError } from "../../domain/spoken-error.ts";

const OPEN_WITHIN_MS = 10_000;
const UNAUTHORIZED = 401;

/** The server does not want this worker; trying again would not help. */
export class WorkerRefused extends SpokenError {}

/** This address does not take the worker. Another one may. */
export class AddressRefused extends WorkerRefused {}

/** The server behind this address does not know the token. */
export class TokenRefused extends AddressRefused {}

/** The address answers, but no server behind it can take a worker now: its database is away. */
export class NotReady extends Error {}

/** Opens a connection. The server asks the database for the token before it answers. */
export function openServer(
  server: URL,
  token: string,
  withinMs = OPEN_WITHIN_MS,
): Promise<WebSocket> {
  const url = new URL(WORKER_PATH, server);
  url.protocol = server.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    maxPayload: MAX_WORKER_MESSAGE_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: withinMs,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      socket.terminate();
      reject(explainAnswer(response.statusCode ?? 0, server));
    });
  });
}

function explainAnswer(status: number, server: URL): Error {
  if (status === UNAUTHORIZED) return new TokenRefused(UNKNOWN_TOKEN);
  if (status !== 403 && status !== 404) return new NotReady(`The server answered ${status}.`);
  return new AddressRefused({
    en: `${server.origin} does not take workers (${status}). Name the address of a Kuromajutsu server that uses PostgreSQL, with a name that is in dashboard.hosts of its configuration.`,
    ja: `${server.origin} はワーカーを受け付けません（${status}）。PostgreSQL を使う Kuromajutsu サーバーのアドレスを、その設定の dashboard.hosts にある名前で指定してください。`,
  });
}

const UNKNOWN_TOKEN: Texts = {
  en: "The server does not know the token of this worker; it may have been revoked. Make one with `kuromajutsu worker add NAME` where a server runs.",
  ja: "サーバーはこのワーカーのトークンを知りません。取り消された可能性があります。サーバーのあるマシンで `kuromajutsu worker add 名前` を実行して作ってください。",
};
