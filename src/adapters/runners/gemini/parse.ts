import {
  fieldsOf,
  isPresent,
  isRecord,
  numberOf,
  parseJson,
  textOf,
  type Fields,
} from "../../../base/narrow.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { ownToolName } from "../own-tool-name.ts";
import { diagnoseGemini } from "./diagnose.ts";

export const TOOL_PREFIX = "mcp_";
const WRITING_TOOLS = ["write_file", "replace"];
/** A dashboard shows a line or two; the transcript has the rest. */
const MAX_OUTPUT_CHARS = 1_000;

/** One line of `--output-format stream-json`. */
export function parseGeminiLine(line: string): readonly RunnerEvent[] | undefined {
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  switch (event.type) {
    case "init":
      return session(event);
    case "message":
      return message(event);
    case "tool_use":
      return toolUse(event);
    case "tool_result":
      return toolResult(event);
    case "error":
      return error(event);
    case "result":
      return end(event);
    default:
      return [];
  }
}

function session(event: Fields): readonly RunnerEvent[] {
  const sessionId = textOf(event.session_id);
  if (sessionId === undefined) return [];
  return [{ type: "session", sessionId, model: textOf(event.model) ?? null }];
}

function message(event: Fields): readonly RunnerEvent[] {
  if (event.role === "user") return [{ type: "user", ...timeOf(event) }];
  const text = textOf(event.content);
  if (event.role !== "assistant" || text === undefined) return [];
  return [{ type: event.delta === true ? "delta" : "message", text }];
}

function toolUse(event: Fields): readonly RunnerEvent[] {
  const name = textOf(event.tool_name) ?? "unknown";
  const path = textOf(fieldsOf(event.parameters).file_path);
  const isWriting = WRITING_TOOLS.includes(name) && path !== undefined;
  return [
    // The stream has no whole messages, so this separates the text before the call from that after.
    { type: "delta", text: "\n\n" },
    {
      type: "tool_started",
      callId: textOf(event.tool_id) ?? "",
      tool: ownToolName(name, TOOL_PREFIX),
      ...(isWriting && { files: [path] }),
      ...timeOf(event),
    },
  ];
}

/** The name and the files of the call are only in its tool_use. */
function toolResult(event: Fields): readonly RunnerEvent[] {
  const failure = fieldsOf(event.error);
  const output = textOf(event.output) ?? textOf(failure.message);
  return [
    {
      type: "tool_finished",
      callId: textOf(event.tool_id) ?? "",
      tool: "",
      ok: event.status === "success" && !isPresent(event.error),
      files: [],
      ...(output && { output: output.slice(0, MAX_OUTPUT_CHARS) }),
      ...timeOf(event),
    },
  ];
}

/** A result follows, which does not repeat the message of an error. Warnings are not fatal. */
function error(event: Fields): readonly RunnerEvent[] {
  const text = textOf(event.message);
  if (event.severity !== "error" || text === undefined) return [];
  return [{ type: "end", ok: false, text: "", durationMs: null, error: text }];
}

function end(event: Fields): readonly RunnerEvent[] {
  const ok = event.status === "success" && !isPresent(event.error);
  const stats = fieldsOf(event.stats);
  const text = textOf(fieldsOf(event.error).message) ?? null;
  const found = text === null ? undefined : diagnoseGemini(text, null, timeOf(event).at);
  return [
    ...usage(event.stats),
    {
      type: "end",
      ok,
      text: "",
      durationMs: numberOf(stats.duration_ms) ?? null,
      error: ok ? null : found ? `${found.message} The CLI said: ${text}` : text,
      ...(!ok && found && { failure: found.failure }),
    },
  ];
}

/** `input_tokens` includes the cached ones, `input` does not. */
function usage(value: unknown): readonly RunnerEvent[] {
  if (!isRecord(value)) return [];
  const cacheReadTokens = count(value.cached);
  return [
    {
      type: "usage",
      scope: "run",
      usage: {
        inputTokens: count(value.input ?? (numberOf(value.input_tokens) ?? 0) - cacheReadTokens),
        outputTokens: count(value.output_tokens),
        cacheReadTokens,
        cacheWriteTokens: 0,
      },
    },
  ];
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}

function timeOf({ timestamp }: Fields): { readonly at?: number } {
  const time = Date.parse(textOf(timestamp) ?? "");
  return Number.isNaN(time) ? {} : { at: time };
}
