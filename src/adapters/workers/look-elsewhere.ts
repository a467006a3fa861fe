import type { WebSocket } from "ws";
import { AddressRefused, NotReady } from "./open-server.ts";

export type Elsewhere =
  /** A server whose database answers: it has found our token there. */
  | { readonly kind: "found"; readonly server: URL; readonly socket: WebSocket }
  /** No address leads to a server with a database. */
  | { readonly kind: "none" }
  /** An address is silent: the server behind it may have a database. */
  | { readonly kind: "unclear" };

/**
 * Looks for a server whose database answers, when that of the current one does not. The address of the
 * current one is tried, too, because a balancer may lead elsewhere. If it is silent, that proves
 * nothing: a balancer without a healthy server may drop connections.
 */
export async function lookElsewhere(
  servers: readonly URL[],
  current: URL,
  open: (server: URL) => Promise<WebSocket>,
): Promise<Elsewhere> {
  const openings = servers.map(async (server) => ({ server, socket: await open(server) }));
  const first = await Promise.any(openings).catch(() => undefined);
  const closeOthers = ({ socket }: { readonly socket: WebSocket }): void => {
    if (socket !== first?.socket) socket.terminate();
  };
  for (const opening of openings) void opening.then(closeOthers, () => undefined);
  if (first) return { kind: "found", ...first };
  const results = await Promise.allSettled(openings);
  const isUnclear = results.some(
    (result, index) =>
      servers[index] !== current && result.status === "rejected" && isSilent(result.reason),
  );
  return { kind: isUnclear ? "unclear" : "none" };
}

/** Where nothing listens there is no server that could have ended the lease. */
function isSilent(error: unknown): boolean {
  if (error instanceof NotReady || error instanceof AddressRefused) return false;
  return !(error instanceof Error && "code" in error && error.code === "ECONNREFUSED");
}
