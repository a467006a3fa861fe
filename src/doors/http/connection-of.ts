import type { Socket } from "node:net";

const sockets = new WeakMap<Request, Socket>();

/** Called once per request, before any handler. */
export function rememberConnection(request: Request, socket: Socket): void {
  sockets.set(request, socket);
}

export function socketOf(request: Request): Socket | undefined {
  return sockets.get(request);
}
