export type JsonBody =
  | { readonly request: Request; readonly parsed: unknown; readonly response?: undefined }
  | { readonly response: Response };

/** Reads a POST body once, up to a limit, and says what is wrong with it in JSON-RPC. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  if (request.method !== "POST") return { request, parsed: undefined };
  const bytes = await readUpTo(request, maxBytes);
  if (bytes === undefined) {
    return problem(413, -32600, `The message is larger than ${maxBytes} bytes.`);
  }
  try {
    return { request, parsed: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return problem(400, -32700, "Parse error: the body is not JSON in UTF-8.");
  }
}

async function readUpTo(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function problem(status: number, code: number, message: string): JsonBody {
  return {
    response: Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status }),
  };
}
