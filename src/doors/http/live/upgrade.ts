import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { whyForbidden, type AllowedNames } from "../guard.ts";

type NotUpgraded = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
};

/** The same rule as for every request, and only on the paths of the WebSocket. */
export function whyNotUpgraded(
  { headers, url = "" }: IncomingMessage,
  names: AllowedNames,
  paths: readonly string[] = ["/", "/ws"],
): NotUpgraded | undefined {
  const forbidden = whyForbidden(names, {
    host: headers.host,
    origin: headers.origin,
    forwardedProto: one(headers["x-forwarded-proto"]),
    fetchSite: one(headers["sec-fetch-site"]),
    fetchMode: one(headers["sec-fetch-mode"]),
  });
  if (forbidden) {
    const { detail, hint } = forbidden;
    return { status: 403, code: "NOT_ALLOWED", detail: detail.en, hint: hint.en };
  }
  const [path] = url.split("?");
  if (path !== undefined && paths.includes(path)) return undefined;
  return { status: 404, code: "NOT_FOUND", detail: "There is no WebSocket here; use /ws." };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}

export function refuseUpgrade(socket: Duplex, { status, code, ...said }: NotUpgraded): void {
  const body = JSON.stringify({ type: "about:blank", title: code, status, code, ...said });
  // The client may have disconnected already.
  socket.on("error", () => {});
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "content-type: application/problem+json",
      `content-length: ${Buffer.byteLength(body)}`,
      "cache-control: no-store",
      "cross-origin-resource-policy: same-origin",
      "x-content-type-options: nosniff",
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
