import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { fieldsOf, parseJson, type Fields } from "../../../src/base/narrow.ts";

/** Arguments that are objects or lists. In a form they are JSON. */
const JSON_ARGUMENTS = new Set([
  "attachments",
  "blocks",
  "chunks",
  "files",
  "loading_messages",
  "metadata",
  "prompts",
  "view",
]);

/** Reads the arguments of a call from a form, from JSON or from the address. */
export async function readBody(request: IncomingMessage): Promise<Fields> {
  const { search } = new URL(request.url ?? "/", "http://fake");
  const raw = await buffer(request);
  return { ...form(search), ...parseBody(raw, request.headers["content-type"]) };
}

export function parseBody(raw: Buffer, type = ""): Fields {
  const text = raw.toString("utf8");
  return type.startsWith("application/json") ? fieldsOf(parseJson(text)) : form(text);
}

function form(text: string): Fields {
  const pairs = [...new URLSearchParams(text)];
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      name,
      JSON_ARGUMENTS.has(name) ? (parseJson(value) ?? value) : value,
    ]),
  );
}
