import { Refusal } from "../../domain/refusal.ts";
import { readUpTo } from "../read-up-to.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Undefined without a body. Anything but JSON is refused, which keeps out forms of other sites. */
export async function readBody(request: Request): Promise<unknown> {
  const bytes = await readUpTo(request, MAX_BODY_BYTES);
  if (bytes === undefined) {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: ["The body is too large.", "Send at most 16 MB."],
      ja: ["本文が大きすぎます。", "16 MB 以内で送ってください。"],
    });
  }
  if (bytes.byteLength === 0) return undefined;
  if (mediaTypeOf(request) !== "application/json") {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: ["The body is no JSON.", "Send application/json."],
      ja: ["本文が JSON ではありません。", "application/json で送ってください。"],
    });
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: ["The body is no valid JSON in UTF-8.", "Correct it."],
      ja: ["本文が UTF-8 の正しい JSON ではありません。", "直して、もう一度送ってください。"],
    });
  }
}

function mediaTypeOf(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}
