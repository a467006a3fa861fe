import { Refusal } from "../../domain/refusal.ts";
import { readUpTo } from "../read-up-to.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

export type JsonBody =
  | { readonly request: Request; readonly parsed: unknown; readonly response?: undefined }
  | { readonly response: Response };

/** Reads a POST body once, up to a limit; a bad body becomes a JSON-RPC error. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  if (request.method !== "POST") return { request, parsed: undefined };
  const bytes = await readUpTo(request, maxBytes).catch(asRefusal);
  if (bytes instanceof Refusal) return problem(400, -32600, `${bytes.message} ${bytes.hint}`);
  if (bytes === undefined) {
    return problem(413, -32600, `The message is larger than ${maxBytes} bytes.`);
  }
  try {
    return { request, parsed: JSON.parse(UTF8.decode(bytes)) };
  } catch {
    return problem(400, -32700, "Parse error: the body is not JSON in UTF-8.");
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

function problem(status: number, code: number, message: string): JsonBody {
  return {
    response: Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status }),
  };
}
