import {
  fieldsOf,
  isRecord,
  numberOf,
  parseJson,
  textOf,
  type Fields,
} from "../../../base/narrow.ts";
import type { FileChange, RunnerEvent } from "../../../domain/agents/runner.ts";
import { ownToolName } from "../own-tool-name.ts";
import { diagnoseError } from "./diagnose.ts";
import { patchedFiles } from "./patched-files.ts";

/** A dashboard shows a line or two; the transcript has the rest. */
const MAX_OUTPUT_CHARS = 1_000;

/** One line of `opencode run --format json`. */
export function parseOpencodeLine(line: string): readonly RunnerEvent[] | undefined {
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  const part = fieldsOf(event.part);
  switch (event.type) {
    case "step_start":
      return [...session(event), ...request(part)];
    case "text":
      return message(part);
    case "tool_use":
      return toolUse(part);
    case "step_finish":
      return [...usage(part), ...stepEnd(part)];
    case "error":
      return [...session(event), ...error(event)];
    default:
      return [];
  }
}

function session({ sessionID }: Fields): readonly RunnerEvent[] {
  const sessionId = textOf(sessionID);
  return sessionId === undefined ? [] : [{ type: "session", sessionId, model: null }];
}

/** Each request to the model writes one message, so the same id again is a retry. */
function request({ messageID }: Fields): readonly RunnerEvent[] {
  const id = textOf(messageID);
  return id === undefined ? [] : [{ type: "request", id }];
}

function message(part: Fields): readonly RunnerEvent[] {
  const text = textOf(part.text);
  return text === undefined ? [] : [{ type: "message", text }];
}

/** The stream shows a call only when it has ended. */
function toolUse(part: Fields): readonly RunnerEvent[] {
  const state = fieldsOf(part.state);
  const name = textOf(part.tool) ?? "unknown";
  const call = { callId: textOf(part.callID) ?? "", tool: ownToolName(name, "") };
  const files = writtenFiles(name, state);
  const output = textOf(state.output) ?? textOf(state.error);
  const time = fieldsOf(state.time);
  return [
    {
      type: "tool_started",
      ...call,
      ...(files.length > 0 && { files: files.map(({ path }) => path) }),
      ...timeOf(time.start),
    },
    {
      type: "tool_finished",
      ...call,
      ok: state.status === "completed",
      files,
      ...(output && { output: output.slice(0, MAX_OUTPUT_CHARS) }),
      ...timeOf(time.end),
    },
  ];
}

function writtenFiles(tool: string, state: Fields): readonly FileChange[] {
  const metadata = fieldsOf(state.metadata);
  if (tool === "apply_patch") return patchedFiles(metadata.files);
  const { filePath, oldString } = fieldsOf(state.input);
  const path = textOf(filePath);
  if (path === undefined) return [];
  switch (tool) {
    case "write":
      return [{ path, change: metadata.exists === false ? "created" : "edited" }];
    case "edit":
      // With no text to replace, the CLI writes a new file.
      return [{ path, change: oldString === "" ? "unknown" : "edited" }];
    default:
      return [];
  }
}

/** The figures of one request. The CLI counts thinking apart from the output, at the same price. */
function usage({ tokens: value, cost }: Fields): readonly RunnerEvent[] {
  if (!isRecord(value)) return [];
  const cache = fieldsOf(value.cache);
  const costUsd = numberOf(cost);
  return [
    {
      type: "usage",
      scope: "step",
      usage: {
        inputTokens: count(value.input),
        outputTokens: count(value.output) + count(value.reasoning),
        cacheReadTokens: count(cache.read),
        cacheWriteTokens: count(cache.write),
      },
      // A model whose price the CLI does not know costs 0 in its figures.
      ...(costUsd !== undefined && costUsd > 0 && { costUsd }),
    },
  ];
}

/**
 * There is no event for the end of a run. If another request follows a step that looks like the
 * last one (after a compaction, or if the provider says "stop" together with tool calls), the
 * `request` event takes the end back.
 */
function stepEnd(part: Fields): readonly RunnerEvent[] {
  const why = textOf(part.reason);
  if (why === undefined || why === "tool-calls") return [];
  const ok = why === "stop";
  const reason = ok ? null : `The model stopped early (${why}).`;
  return [{ type: "end", ok, text: "", durationMs: null, error: reason }];
}

function error(event: Fields): readonly RunnerEvent[] {
  const found = fieldsOf(event.error);
  const text = textOf(fieldsOf(found.data).message) ?? textOf(found.name) ?? "an unknown error";
  const diagnosis = diagnoseError(found, timeOf(event.timestamp).at);
  // The log on stderr says more than "check server logs".
  const said = text.startsWith("Unexpected server error") ? null : text;
  return [
    {
      type: "end",
      ok: false,
      text: "",
      durationMs: null,
      error: diagnosis ? `${diagnosis.message} The CLI said: ${text}` : said,
      ...(diagnosis && { failure: diagnosis.failure }),
    },
  ];
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}

function timeOf(value: unknown): { readonly at?: number } {
  const at = numberOf(value);
  return at === undefined ? {} : { at };
}
