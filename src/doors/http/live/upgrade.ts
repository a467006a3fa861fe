import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { whyForbidden } from "../guard.ts";

type NotUpgraded = { readonly status: number; readonly code: string; readonly detail: string };

/** The same rule as for every request, and only where a WebSocket lives. */
export function whyNotUpgraded(
  { headers, url = "" }: IncomingMessage,
  allowedHostnames: readonly string[],
): NotUpgraded | undefined {
  const forbidden = whyForbidden(allowedHostnames, { host: headers.host, origin: headers.origin });
  if (forbidden) return { status: 403, code: "NOT_ALLOWED", detail: forbidden };
  const [path] = url.split("?");
  if (path === "/" || path === "/ws") return undefined;
  return { status: 404, code: "NOT_FOUND", detail: "There is no WebSocket here; use /ws." };
}

export function refuseUpgrade(socket: Duplex, { status, code, detail }: NotUpgraded): void {
  const body = JSON.stringify({ type: "about:blank", title: code, status, code, detail });
  // It may be gone already; nobody is interested in hearing so.
  socket.on("error", () => {});
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "content-type: application/problem+json",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
