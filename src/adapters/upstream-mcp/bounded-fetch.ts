import type { FetchLike } from "@modelcontextprotocol/client";
import { isRecord } from "../../base/narrow.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { tooLargeMessage } from "./message-reader.ts";
import { ownError, type RequestId } from "./own-errors.ts";

/** Limit for the body of an error response, which only goes to the log. */
const MAX_PROBLEM_BYTES = 64 * 1024;

/**
 * Fetch for the SDK's HTTP transport. The transport alone would read answers of any size, and would
 * wait for the whole time limit if the stream ends without the answer. Here both become an error of
 * the call.
 */
export const boundedFetch: FetchLike = async (target, init) => {
  const response = await fetch(target, init);
  if (!response.body || response.status < 200) return response;
  if (!response.ok) return withBody(response, cutAfter(response.body, MAX_PROBLEM_BYTES));
  const id = init?.method === "POST" ? idOf(init.body) : undefined;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) {
    return withBody(response, boundedEvents(response.body, id));
  }
  return boundedJson(response, response.body, id);
};

/** The id of a request; undefined for our notifications and answers, which get no answer. */
function idOf(body: unknown): RequestId | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || !("method" in message)) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

async function boundedJson(
  response: Response,
  body: ReadableStream<Uint8Array>,
  id: RequestId | undefined,
): Promise<Response> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_MESSAGE_BYTES) {
      await reader.cancel();
      return withBody(response, tooLargeJson(id));
    }
    parts.push(value);
  }
  return withBody(response, Buffer.concat(parts));
}

function tooLargeJson(id: RequestId | undefined): string {
  return JSON.stringify(ownError(id ?? "unknown", "too_large", tooLargeMessage()));
}

/**
 * Passes whole events on, one by one. An event that is too large is replaced by an error answer to
 * the request of this stream. So is an end before the answer, unless the events have ids: then the
 * SDK can resume the stream.
 */
function boundedEvents(
  body: ReadableStream<Uint8Array>,
  id: RequestId | undefined,
): ReadableStream<Uint8Array> {
  const events = createEventCutter(MAX_MESSAGE_BYTES);
  const reader = body.getReader();

  /** If the answer has already come, the SDK ignores this second one. */
  function lost(): Uint8Array | undefined {
    if (id === undefined || events.hasIds()) return undefined;
    return eventOf(ownError(id, "lost", "The connection ended before the answer came."));
  }

  /** The next bytes to pass on; undefined at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      const { whole, tooLarge } = events.push(Buffer.from(value));
      const isOurs = tooLarge && id !== undefined;
      const notice = isOurs ? eventOf(ownError(id, "too_large", tooLargeMessage())) : EMPTY;
      if (whole.length + notice.length > 0) return Buffer.concat([whole, notice]);
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let bytes: Uint8Array | undefined;
      let failure: unknown;
      try {
        bytes = await next();
      } catch (error) {
        failure = error;
      }
      if (bytes) return controller.enqueue(bytes);
      const last = lost();
      if (failure !== undefined && !last) return controller.error(failure);
      if (last) controller.enqueue(last);
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const EMPTY = new Uint8Array();

/** Splits a stream into whole server-sent events, in linear time. */
export function createEventCutter(maxBytes: number) {
  let parts: Buffer[] = [];
  let size = 0;
  /** The line so far is empty, or only the carriage return before its newline. */
  let isBlank = true;
  let hasIds = false;

  function keep(part: Buffer): void {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  }

  function take(): Buffer | undefined {
    const event = size > maxBytes ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    hasIds ||= event !== undefined && /(?:^|\n)id: ?\S/.test(event.toString("latin1"));
    return event;
  }

  return {
    hasIds: () => hasIds,
    push(chunk: Buffer): { readonly whole: Uint8Array; readonly tooLarge: boolean } {
      const whole: Buffer[] = [];
      let tooLarge = false;
      let from = 0;
      for (let at = 0; ;) {
        const newline = chunk.indexOf(10, at);
        const line = chunk.subarray(at, newline < 0 ? chunk.length : newline);
        isBlank &&= line.length === 0 || (line.length === 1 && line[0] === 13);
        if (newline < 0) break;
        at = newline + 1;
        if (isBlank) {
          keep(chunk.subarray(from, at));
          from = at;
          const event = take();
          if (event) whole.push(event);
          else tooLarge = true;
        }
        isBlank = true;
      }
      keep(chunk.subarray(from));
      return { whole: Buffer.concat(whole), tooLarge };
    },
  };
}

function eventOf(message: unknown): Uint8Array {
  return new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function cutAfter(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let left = maxBytes;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.terminate();
      },
    }),
  );
}

function withBody(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string,
): Response {
  // The body has another length and is no longer compressed.
  const kept = new Headers(headers);
  kept.delete("content-length");
  kept.delete("content-encoding");
  return new Response(body, { status, statusText, headers: kept });
}
