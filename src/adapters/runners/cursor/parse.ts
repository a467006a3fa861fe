import {
  fieldsOf,
  isRecord,
  isPresent,
  numberOf,
  parseJson,
  textOf,
  type Fields,
} from "../../../base/narrow.ts";
import type { FileChange, RunnerEvent } from "../../../domain/agents/runner.ts";
import { diagnoseCursor } from "./diagnose.ts";
import { toolOutput } from "./tool-output.ts";

const MAX_REFUSAL_CHARS = 1_000;

/** One line of `--output-format stream-json --stream-partial-output`. */
export function parseCursorLine(line: string): readonly RunnerEvent[] | undefined {
  const event = parseJson(line);
  if (!isRecord(event)) return refusal(line);
  switch (event.type) {
    case "system":
      return session(event);
    case "user":
      return [{ type: "user", ...timeOf(event) }];
    case "assistant":
      return assistant(event);
    case "tool_call":
      return toolCall(event);
    case "result":
      return end(event);
    default:
      return [];
  }
}

/** Some versions refuse in plain text on stdout and exit with 0. */
function refusal(line: string): readonly RunnerEvent[] | undefined {
  const found = line.length < MAX_REFUSAL_CHARS ? diagnoseCursor(line) : undefined;
  if (!found) return undefined;
  const { message: error, failure } = found;
  return [{ type: "end", ok: false, text: "", durationMs: null, error, failure }];
}

function session(event: Fields): readonly RunnerEvent[] {
  const sessionId = textOf(event.session_id);
  if (event.subtype !== "init" || sessionId === undefined) return [];
  return [{ type: "session", sessionId, model: textOf(event.model) ?? null }];
}

/**
 * With partial output the same text arrives up to three times: as deltas (a timestamp, no model
 * call), as a replay of the finished segment (a model call), and as a final copy (no timestamp).
 * The two complete copies replace the text of the deltas.
 */
function assistant(event: Fields): readonly RunnerEvent[] {
  const text = messageText(fieldsOf(event.message).content);
  if (text === undefined) return [];
  const isDelta = isPresent(event.timestamp_ms) && !isPresent(event.model_call_id);
  return [{ type: isDelta ? "delta" : "message", text }];
}

function messageText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content);
  const texts = content
    .map((part) => textOf(fieldsOf(part).text))
    .filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join("") : undefined;
}

function toolCall(event: Fields): readonly RunnerEvent[] {
  const { tool, kind, body } = nameTool(fieldsOf(event.tool_call));
  const callId = textOf(event.call_id) ?? "";
  const time = timeOf(event);
  if (event.subtype === "started") {
    const files = namedFiles(kind, body);
    return [{ type: "tool_started", callId, tool, ...(files.length > 0 && { files }), ...time }];
  }
  if (event.subtype !== "completed") return [];

  const success = fieldsOf(body.result).success;
  const ok = isPresent(success) && fieldsOf(success).isError !== true;
  const output = toolOutput(fieldsOf(body.result));
  return [
    {
      type: "tool_finished",
      callId,
      tool,
      ok,
      files: writtenFiles(kind, body),
      ...(output && { output }),
      ...time,
    },
  ];
}

function timeOf({ timestamp_ms: at }: Fields): { readonly at?: number } {
  const time = numberOf(at);
  return time === undefined ? {} : { at: time };
}

type NamedTool = { readonly tool: string; readonly kind: string; readonly body: Fields };

/** `{"<kind>ToolCall": {args, result}}`, or `{"function": {name, arguments}}` for other kinds. */
function nameTool(call: Fields): NamedTool {
  const kinds = Object.keys(call).filter((key) => isRecord(call[key]));
  const kind = kinds.find((key) => key.endsWith("ToolCall") || key === "function") ?? kinds[0];
  if (kind === undefined) return { tool: "unknown", kind: "", body: {} };
  const body = fieldsOf(call[kind]);
  if (kind === "mcpToolCall") return { tool: mcpToolName(fieldsOf(body.args)), kind, body };
  if (kind === "function") return { tool: textOf(body.name) ?? "function", kind, body };
  return { tool: kind.replace(/ToolCall$/, "") || kind, kind, body };
}

function mcpToolName(args: Fields): string {
  const tool = textOf(args.toolName);
  if (tool !== undefined) return tool;
  const name = textOf(args.name) ?? "mcp";
  const server = textOf(args.providerIdentifier) ?? textOf(args.serverIdentifier);
  if (server !== undefined && name.startsWith(`${server}-`)) return name.slice(server.length + 1);
  return name.slice(name.indexOf("-") + 1);
}

const WRITING_KINDS = ["writeToolCall", "editToolCall"];

/** The files a call is going to write. Cursor also makes new files with its edit tool. */
function namedFiles(kind: string, body: Fields): readonly string[] {
  const path = textOf(fieldsOf(body.args).path);
  return WRITING_KINDS.includes(kind) && path !== undefined ? [path] : [];
}

function writtenFiles(kind: string, body: Fields): readonly FileChange[] {
  const { path: written } = fieldsOf(fieldsOf(body.result).success);
  const path = textOf(written) ?? textOf(fieldsOf(body.args).path);
  if (path === undefined) return [];
  if (kind === "deleteToolCall") return [{ path, change: "deleted" }];
  return WRITING_KINDS.includes(kind) ? [{ path, change: "unknown" }] : [];
}

function end(event: Fields): readonly RunnerEvent[] {
  // Success needs an explicit absence of errors: a result must never look better than it was.
  const ok =
    event.subtype === "success" && (!isPresent(event.is_error) || event.is_error === false);
  const text = textOf(event.result) ?? "";
  return [
    ...usage(event.usage),
    {
      type: "end",
      ok,
      text,
      durationMs: numberOf(event.duration_ms) ?? null,
      error: ok ? null : errorText(event, text),
    },
  ];
}

function usage(value: unknown): readonly RunnerEvent[] {
  if (!isRecord(value)) return [];
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = value;
  return [
    {
      type: "usage",
      scope: "run",
      usage: {
        inputTokens: count(inputTokens),
        outputTokens: count(outputTokens),
        cacheReadTokens: count(cacheReadTokens),
        cacheWriteTokens: count(cacheWriteTokens),
      },
    },
  ];
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}

function errorText(event: Fields, text: string): string {
  const message = textOf(event.error) ?? textOf(fieldsOf(event.error).message) ?? text;
  return message || `The CLI ended with ${textOf(event.subtype) ?? "an error"}.`;
}
