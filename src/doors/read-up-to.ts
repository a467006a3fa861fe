import { Refusal } from "../domain/refusal.ts";

/** The bytes of a body; undefined if there are more than allowed, whatever the headers say. */
export async function readUpTo(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  try {
    return await read(request, maxBytes);
  } catch {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: [
        "The connection was closed before the body was complete.",
        "Send the request again, within 30 seconds.",
      ],
      ja: [
        "本文を受け取り終わる前に、接続が閉じられました。",
        "30 秒以内に送れるように、もう一度送ってください。",
      ],
    });
  }
}

async function read(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  // With a known size, one read is much cheaper than reading chunks.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
