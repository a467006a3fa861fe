import type { Change, Entry, ToolEntry } from "./entries.ts";
import { type Fields, fieldsOf, isFields, numberOf, textOf } from "./narrow.ts";

/** Long texts are split into rows of about this size, so that no row is taller than a few screens. */
const PIECE_CHARS = 2_400;
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
  const entries: Entry[] = [];
  const calls = new Map<string, number>();
  let drawn = 0;
  /** The message in progress: its first entry and its text so far. */
  let open: { readonly from: number; text: string } | undefined;
  let lastSaid = "";

  const newKey = () => `${prefix}${drawn++}`;

  function say(text: string, at: number | null): void {
    open ??= { from: entries.length, text: "" };
    open.text += text;
    let rest = text;
    const last = entries.at(-1);
    if (last?.kind === "text" && entries.length > open.from && last.text.length < PIECE_CHARS) {
      const room = splitAt(last.text.length, rest);
      entries[entries.length - 1] = { ...last, text: last.text + rest.slice(0, room) };
      rest = rest.slice(room);
    }
    while (rest !== "") {
      const isContinued = entries.length > open.from;
      const size = splitAt(0, rest);
      entries.push({ kind: "text", key: newKey(), at, text: rest.slice(0, size), isContinued });
      rest = rest.slice(size);
    }
  }

  /** The complete message; replaces the text collected from partial messages if it differs. */
  function sayWhole(text: string, at: number | null): void {
    if (text === (open?.text ?? lastSaid)) return close();
    if (open) {
      const others = entries.slice(open.from).filter(({ kind }) => kind !== "text");
      entries.splice(open.from, entries.length, ...others);
      open = undefined;
    }
    say(text, at);
    close();
  }

  function close(): void {
    if (!open) return;
    lastSaid = open.text;
    open = undefined;
  }

  function think(text: string, at: number | null): void {
    const last = entries.at(-1);
    if (last?.kind === "thought" && last.text.length < PIECE_CHARS) {
      entries[entries.length - 1] = { ...last, text: last.text + text };
    } else if (text !== "") {
      entries.push({ kind: "thought", key: newKey(), at, text });
    }
  }

  function begin(call: Omit<ToolEntry, "kind" | "key">): void {
    close();
    lastSaid = "";
    calls.set(call.callId, entries.length);
    entries.push({ kind: "tool", key: newKey(), ...call });
  }

  function finish(call: Omit<ToolEntry, "kind" | "key">): void {
    const index = calls.get(call.callId);
    const begun = index === undefined ? undefined : entries[index];
    // Its start may lie before the part that was read.
    if (index === undefined || begun?.kind !== "tool") return begin(call);
    calls.delete(call.callId);
    entries[index] = {
      ...call,
      kind: "tool",
      key: begun.key,
      at: begun.at,
      args: call.args ?? begun.args,
      tool: call.tool || begun.tool,
      server: call.server ?? begun.server,
    };
  }

  function take(line: string): void {
    const event = parse(line);
    if (!event) return other(line);
    const at = numberOf(event["timestamp_ms"]) ?? null;
    switch (event["type"]) {
      case "system":
        if (event["subtype"] !== "init") return;
        entries.push({
          kind: "session",
          key: newKey(),
          at,
          model: textOf(event["model"]) ?? "",
          directory: textOf(event["cwd"]) ?? "",
        });
        return;
      case "user":
        return user(event, at);
      case "assistant":
        return assistant(event, at);
      case "thinking":
        return think(textOf(event["text"]) ?? "", at);
      case "tool_call": {
        const call = cursorCall(event, at);
        return event["subtype"] === "started" ? begin(call) : finish(call);
      }
      case "result":
        close();
        entries.push({
          kind: "end",
          key: newKey(),
          at,
          isOk: event["is_error"] !== true && event["subtype"] === "success",
          text: textOf(event["result"]) ?? textOf(event["error"]) ?? "",
          durationMs: numberOf(event["duration_ms"]) ?? null,
        });
        return;
      default:
        return other(line);
    }
  }

  function other(line: string): void {
    if (line.trim() === "") return;
    const text = line.slice(0, MAX_LINE_CHARS);
    entries.push({ kind: "line", key: newKey(), at: null, text, isCut: text !== line });
  }

  function assistant(event: Fields, at: number | null): void {
    const { content } = fieldsOf(event["message"]);
    const parts = Array.isArray(content) ? content.map(fieldsOf) : [];
    const text = Array.isArray(content)
      ? parts.map((part) => textOf(part["text"]) ?? "").join("")
      : (textOf(content) ?? "");
    const isPiece = at !== null && !event["model_call_id"];
    if (text !== "" && isPiece) say(text, at);
    else if (text !== "") sayWhole(text, at);
    for (const part of parts) {
      if (part["type"] === "thinking") think(textOf(part["thinking"]) ?? "", at);
      if (part["type"] === "tool_use") begin(blockCall(part, at));
    }
  }

  /** A user message: the prompt, or tool results. */
  function user(event: Fields, at: number | null): void {
    const { content } = fieldsOf(event["message"]);
    const parts = Array.isArray(content) ? content.map(fieldsOf) : [{ text: content }];
    for (const part of parts) {
      if (part["type"] === "tool_result") finish(blockAnswer(part, at));
      const text = textOf(part["text"]);
      if (text !== undefined) entries.push({ kind: "prompt", key: newKey(), at, text });
    }
  }

  return {
    entries,
    push(lines) {
      for (const line of lines) take(line);
    },
  };
}

/** How many characters fit into a piece of this length, preferably up to a line end. */
function splitAt(has: number, text: string): number {
  const room = PIECE_CHARS - has;
  if (text.length <= room) return text.length;
  const newline = text.lastIndexOf("\n", room);
  if (newline > 0) return newline + 1;
  // Don't split a surrogate pair.
  const isHalf = /[\ud800-\udbff]/.test(text[room - 1] ?? "");
  return Math.max(1, isHalf ? room - 1 : room);
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Call = Omit<ToolEntry, "kind" | "key">;

/** `{"<kind>ToolCall": {args, result}}` */
function cursorCall(event: Fields, at: number | null): Call {
  const call = fieldsOf(event["tool_call"]);
  const kinds = Object.keys(call).filter((key) => isFields(call[key]));
  const kind =
    kinds.find((key) => key.endsWith("ToolCall") || key === "function") ?? kinds[0] ?? "";
  const body = fieldsOf(call[kind]);
  const args = fieldsOf(body["args"]);
  const isMcp = kind === "mcpToolCall";
  const isDone = event["subtype"] === "completed";
  const result = fieldsOf(body["result"]);
  const success = result["success"];
  const isOk = success !== undefined && fieldsOf(success)["isError"] !== true;
  return {
    at,
    callId: textOf(event["call_id"]) ?? "",
    tool: isMcp
      ? (textOf(args["toolName"]) ?? textOf(args["name"]) ?? "mcp")
      : (textOf(body["name"]) ?? (kind.replace(/ToolCall$/, "") || "tool")),
    server: isMcp ? (textOf(args["providerIdentifier"]) ?? null) : null,
    args: isMcp ? args["args"] : (body["args"] ?? body["arguments"]),
    result: isDone ? answerOf(result, success) : undefined,
    state: isDone ? (isOk ? "ok" : "failed") : "running",
    endedAt: isDone ? at : null,
    change: isDone && isOk ? changeOf(kind, args, fieldsOf(success)) : null,
  };
}

/** An MCP result is shown as its text, others as their fields. */
function answerOf(result: Fields, success: unknown): unknown {
  if (success === undefined) return result["error"] ?? result["rejected"] ?? result;
  const { content } = fieldsOf(success);
  if (!Array.isArray(content)) return success;
  const texts = content.map((part) => {
    const { text } = fieldsOf(part);
    return textOf(text) ?? textOf(fieldsOf(text)["text"]) ?? "";
  });
  return unquote(texts.join("\n"));
}

function unquote(text: string): unknown {
  return /^\s*[[{]/.test(text) ? (parse(text) ?? text) : text;
}

function changeOf(kind: string, args: Fields, success: Fields): Change | null {
  const path = textOf(success["path"]) ?? textOf(args["path"]);
  if (path === undefined) return null;
  if (kind === "editToolCall") {
    return {
      path,
      added: numberOf(success["linesAdded"]) ?? null,
      removed: numberOf(success["linesRemoved"]) ?? null,
      diff: textOf(success["diffString"]) ?? null,
    };
  }
  if (kind !== "writeToolCall") return null;
  const text = textOf(args["fileText"]);
  const lines = text?.replace(/\n$/, "").split("\n");
  return {
    path,
    added: lines?.length ?? numberOf(success["linesCreated"]) ?? null,
    removed: null,
    diff: lines?.map((line) => `+${line}`).join("\n") ?? null,
  };
}

/** Tool calls and results as parts of messages, as other CLIs write them. */
function blockCall(part: Fields, at: number | null): Call {
  return {
    at,
    callId: textOf(part["id"]) ?? "",
    tool: textOf(part["name"]) ?? "tool",
    server: null,
    args: part["input"],
    result: undefined,
    state: "running",
    endedAt: null,
    change: null,
  };
}

function blockAnswer(part: Fields, at: number | null): Call {
  const { content } = part;
  const text = Array.isArray(content)
    ? content.map((each) => textOf(fieldsOf(each)["text"]) ?? "").join("\n")
    : textOf(content);
  return {
    at,
    callId: textOf(part["tool_use_id"]) ?? "",
    tool: "",
    server: null,
    args: undefined,
    result: text === undefined ? content : unquote(text),
    state: part["is_error"] === true ? "failed" : "ok",
    endedAt: at,
    change: null,
  };
}
