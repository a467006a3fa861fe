import { type Fields, fieldsOf, numberOf, textOf } from "../../base/narrow.ts";
import type { Entry } from "./entries.ts";
import { EntryList } from "./entry-list.ts";
import { parse, cursorCall, blockCall, blockAnswer } from "./tool-calls.ts";

const MAX_LINE_CHARS = 20_000;

export type StreamReader = {
  readonly entries: Entry[];
  push(lines: readonly string[]): void;
};

/**
 * Parses the stream of an agent's CLI. Entries are immutable, so that a row renders only when its
 * entry was replaced. Unknown or malformed lines never throw.
 */
export function createStreamReader(prefix: string): StreamReader {
  const list = new EntryList(prefix);
  return {
    entries: list.entries,
    push(lines) {
      for (const line of lines) take(list, line);
    },
  };
}

function take(list: EntryList, line: string): void {
  const event = parse(line);
  if (!event) return addUnknown(list, line);
  const at = numberOf(event["timestamp_ms"]) ?? null;
  switch (event["type"]) {
    case "system":
      if (event["subtype"] !== "init") return;
      list.add({
        kind: "session",
        at,
        model: textOf(event["model"]) ?? "",
        directory: textOf(event["cwd"]) ?? "",
      });
      return;
    case "user":
      return addUser(list, event, at);
    case "assistant":
      return addAssistant(list, event, at);
    case "thinking":
      return list.appendThought(textOf(event["text"]) ?? "", at);
    case "tool_call": {
      const call = cursorCall(event, at);
      return event["subtype"] === "started" ? list.startCall(call) : list.endCall(call);
    }
    case "result":
      list.closeMessage();
      list.add({
        kind: "end",
        at,
        isOk: event["is_error"] !== true && event["subtype"] === "success",
        text: textOf(event["result"]) ?? textOf(event["error"]) ?? "",
        durationMs: numberOf(event["duration_ms"]) ?? null,
      });
      return;
    default:
      return addUnknown(list, line);
  }
}

function addUnknown(list: EntryList, line: string): void {
  if (line.trim() === "") return;
  const text = line.slice(0, MAX_LINE_CHARS);
  list.add({ kind: "line", at: null, text, isCut: text !== line });
}

function addAssistant(list: EntryList, event: Fields, at: number | null): void {
  const { content } = fieldsOf(event["message"]);
  const parts = Array.isArray(content) ? content.map(fieldsOf) : [];
  const text = Array.isArray(content)
    ? parts.map((part) => textOf(part["text"]) ?? "").join("")
    : (textOf(content) ?? "");
  const isPiece = at !== null && !event["model_call_id"];
  if (text !== "" && isPiece) list.appendMessage(text, at);
  else if (text !== "") list.setMessage(text, at);
  for (const part of parts) {
    if (part["type"] === "thinking") list.appendThought(textOf(part["thinking"]) ?? "", at);
    if (part["type"] === "tool_use") list.startCall(blockCall(part, at));
  }
}

/** A user message: the prompt, or tool results. */
function addUser(list: EntryList, event: Fields, at: number | null): void {
  const { content } = fieldsOf(event["message"]);
  const parts = Array.isArray(content) ? content.map(fieldsOf) : [{ text: content }];
  for (const part of parts) {
    if (part["type"] === "tool_result") list.endCall(blockAnswer(part, at));
    const text = textOf(part["text"]);
    if (text !== undefined) list.add({ kind: "prompt", at, text });
  }
}
