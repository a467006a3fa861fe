import { type Fields, fieldsOf, isRecord, numberOf, parseJson, textOf } from "../../base/narrow.ts";
import type { Change, ToolEntry } from "./entries.ts";

export function parse(line: string): Fields | undefined {
  const value = parseJson(line);
  return isRecord(value) ? value : undefined;
}

export type Call = Omit<ToolEntry, "kind" | "key">;

/** `{"<kind>ToolCall": {args, result}}` */
export function cursorCall(event: Fields, at: number | null): Call {
  const call = fieldsOf(event["tool_call"]);
  const kinds = Object.keys(call).filter((key) => isRecord(call[key]));
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
export function blockCall(part: Fields, at: number | null): Call {
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

export function blockAnswer(part: Fields, at: number | null): Call {
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
