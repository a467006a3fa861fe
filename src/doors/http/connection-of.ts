import type { Socket } from "node:net";

const sockets = new WeakMap<Request, Socket>();

/** Called once per request, before anything answers it. */
export function rememberConnection(request: Request, socket: Socket): void {
  sockets.set(request, socket);
}

export function socketOf(request: Request): Socket | undefined {
  return sockets.get(request);
}

/**
 * The client's address. Behind a proxy it is the proxy's: forwarding headers can be sent by anyone,
 * so they are not used.
 */
export function addressOf(request: Request): string {
  return socketOf(request)?.remoteAddress ?? "unknown";
}
