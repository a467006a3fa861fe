import { isRecord, parseJson } from "../../base/narrow.ts";

/** The parts of a line that the pipe needs; lines pass through unchanged. */
export type RpcLine =
  | {
      readonly kind: "request";
      readonly id: string | number;
      readonly method: string;
      /** The name in a `tools/call`. */
      readonly tool?: string;
      readonly modern: boolean;
      /** `_meta` of a modern request, which replaces the handshake of older revisions. */
      readonly meta?: unknown;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly requestId: string | number | undefined;
    }
  | { readonly kind: "response"; readonly id: string | number }
  | { readonly kind: "other" };

const MODERN_MARK = "io.modelcontextprotocol/protocolVersion";

export function readRpcLine(line: string): RpcLine {
  const message = parseJson(line);
  if (!isRecord(message)) return { kind: "other" };
  const { id, method, params } = message;
  if (typeof method === "string") {
    if (isId(id)) {
      const meta = modernMeta(params);
      const name = isRecord(params) && method === "tools/call" ? params["name"] : undefined;
      const tool = typeof name === "string" ? { tool: name } : {};
      return { kind: "request", id, method, ...tool, modern: meta !== undefined, meta };
    }
    const requestId =
      isRecord(params) && isId(params["requestId"]) ? params["requestId"] : undefined;
    return { kind: "notification", method, requestId };
  }
  return isId(id) ? { kind: "response", id } : { kind: "other" };
}

function modernMeta(params: unknown): unknown {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  return isRecord(meta) && MODERN_MARK in meta ? meta : undefined;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
