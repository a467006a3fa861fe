import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { createLineSplitter } from "../../base/lines.ts";
import { isRecord, parseJson } from "../../base/narrow.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import { MAX_ERROR_CHARS, MAX_MESSAGE_BYTES } from "./limits.ts";
import { answeredId, ownError } from "./own-errors.ts";

export type MessageReader = {
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** The server wrote something else than messages; called once. */
  readonly onGarbage: (beginning: string) => void;
  /** The connection cannot go on: a request would wait for its answer forever. */
  readonly onUnreadable: (why: string) => void;
};

/** Reads the messages that a server writes to its stdout, one per line. */
export function createMessageReader({ onMessage, onGarbage, onUnreadable }: MessageReader) {
  let isGarbageReported = false;

  function onLine(line: string): void {
    const message = readMessage(line);
    if (!message) {
      if (isGarbageReported) return;
      isGarbageReported = true;
      onGarbage(plainText(line.slice(0, MAX_ERROR_CHARS)));
    } else if ("method" in message) onMessage(message);
    // The SDK defers notifications: without this, an answer would overtake its last progress.
    else queueMicrotask(() => onMessage(message));
  }

  function onTooLong(head: string, tail: string): void {
    const id = answeredId(head, tail);
    if (id === null) return;
    if (id !== undefined) return onMessage(ownError(id, "too_large", tooLargeMessage()));
    onUnreadable(
      "It wrote a message that is too long to be read and has no recognisable request id.",
    );
  }

  return createLineSplitter(onLine, { maxBytes: MAX_MESSAGE_BYTES, onTooLong });
}

function readMessage(line: string): JSONRPCMessage | undefined {
  const value = parseJson(line);
  return isMessage(value) ? value : undefined;
}

/** A quick check that recognises garbage; the SDK validates the message. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return false;
  return "method" in value || ("id" in value && ("result" in value || "error" in value));
}

export function tooLargeMessage(): string {
  return `The answer is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`;
}
