import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../base/narrow.ts";
import { RESTARTED_RESULT } from "../../contract/daemon-restarted.ts";

/**
 * How long a client waits before it reconnects. The SDK's clients try twice, so a daemon that is back
 * within twice this time still answers their open calls.
 */
const RETRY_MS = 4_000;
/** Older clients cannot read an event without data. */
const EMPTY_DATA_SINCE = "2025-11-25";
const MAX_ID_CHARS = 500;
/** Tells the event ids of this daemon from those of an earlier one. */
const DAEMON = randomUUID();

const requestId = z.union([z.number(), z.string().max(MAX_ID_CHARS)]);
const toolCall = z.object({
  id: requestId,
  method: z.literal("tools/call"),
  params: z.object({
    _meta: z
      .object({ progressToken: z.union([z.number(), z.string()]).optional() })
      .optional()
      .catch(undefined),
  }),
});
const eventId = z.tuple([z.string(), requestId]);

export type FirstEvent = { readonly eventId: string; readonly text: string };

/**
 * The first event of the stream that answers a tool call. Its id contains the id of the request: if
 * the stream is cut, the client sends it in `Last-Event-ID`, and a later daemon can answer the call,
 * although it stores nothing about it. Undefined: this client has no way to receive such an event.
 */
export function firstEventOf(message: unknown, protocolVersion: string): FirstEvent | undefined {
  const call = toolCall.safeParse(message).data;
  if (!call) return undefined;
  const data = firstData(call, protocolVersion);
  if (data === undefined) return undefined;
  const id = Buffer.from(JSON.stringify([DAEMON, call.id])).toString("base64url");
  return { eventId: id, text: `id: ${id}\nretry: ${RETRY_MS}\ndata: ${data}\n\n` };
}

function firstData(call: z.infer<typeof toolCall>, protocolVersion: string): string | undefined {
  if (protocolVersion >= EMPTY_DATA_SINCE) return "";
  const progressToken = call.params._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const params = { progressToken, progress: 0 };
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params });
}

/** Undefined: not an event id of ours. */
export function readEventId(received: string) {
  const read = eventId.safeParse(parseJson(Buffer.from(received, "base64url").toString())).data;
  return read && { isOfThisDaemon: read[0] === DAEMON, requestId: read[1] };
}

/** The stream for a client that asks a new daemon for the answer to a call of an earlier one. */
export function restartedStream(id: string | number): Response {
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result: RESTARTED_RESULT });
  return new Response(`event: message\ndata: ${answer}\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}
