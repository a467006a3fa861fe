import type { Socket } from "node:net";

const sockets = new WeakMap<Request, Socket>();

/** Called once per request, before any handler. */
export function rememberConnection(request: Request, socket: Socket): void {
  sockets.set(request, socket);
}

export function socketOf(request: Request): Socket | undefined {
  return sockets.get(request);
}

/**
 * The client's address; behind a proxy, the proxy's. Forwarding headers are not used, because any
 * client can send them.
 */
export function addressOf(request: Request): string {
  return socketOf(request)?.remoteAddress ?? "unknown";
}
