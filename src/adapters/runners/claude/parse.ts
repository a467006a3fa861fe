import { contentText } from "../../../base/content-text.ts";
import {
  fieldsOf,
  isPresent,
  isRecord,
  numberOf,
  parseJson,
  textOf,
  type Fields,
} from "../../../base/narrow.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import type { FileChange, RunnerEvent } from "../../../domain/agents/runner.ts";
import { retryReason } from "../retry-reason.ts";
import { failureOfClaude } from "./failure.ts";
import { parseResult } from "./parse-result.ts";

export const TOOL_PREFIX = `mcp__${OWN_SERVER}__`;

/** One line of `--output-format stream-json --verbose --include-partial-messages`. */
export function parseClaudeLine(line: string): readonly RunnerEvent[] | undefined {
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  switch (event.type) {
    case "system":
      return system(event);
    case "stream_event":
      return streamEvent(event);
    case "assistant":
      return assistant(event);
    case "user":
      return toolResults(event);
    case "result":
      return parseResult(event);
    case "steered":
      return steered(event);
    default:
      return [];
  }
}

/** A line of our feeder. */
function steered({ id }: Fields): readonly RunnerEvent[] {
  return typeof id === "string" ? [{ type: "steered", id }] : [];
}

function system(event: Fields): readonly RunnerEvent[] {
  switch (event.subtype) {
    case "init":
      return init(event);
    case "status":
      return event.status === "requesting" ? [{ type: "user" }] : [];
    case "api_retry":
      return retry(event);
    default:
      return [];
  }
}

function init(event: Fields): readonly RunnerEvent[] {
  const sessionId = textOf(event.session_id);
  if (sessionId === undefined) return [];
  const servers = Array.isArray(event.mcp_servers) ? event.mcp_servers.map(fieldsOf) : [];
  return [
    { type: "session", sessionId, model: textOf(event.model) ?? null },
    ...servers.flatMap(({ name, status }): readonly RunnerEvent[] =>
      // A server that is still pending says nothing yet.
      typeof name === "string" && typeof status === "string" && status !== "pending"
        ? [{ type: "mcp", server: name, connected: status === "connected" }]
        : [],
    ),
  ];
}

/** The text so far belongs to the request that failed, and the next request repeats it. */
function retry(event: Fields): readonly RunnerEvent[] {
  const status = numberOf(event.error_status);
  const name = textOf(event.error);
  const attempt = `${numberOf(event.attempt) ?? "?"} of ${numberOf(event.max_retries) ?? "?"}`;
  const what = status === undefined ? "the connection was cut" : `HTTP ${status}`;
  const known = name === undefined || name === "unknown" ? "" : `, ${name}`;
  const found = failureOfClaude({ text: "", status, name });
  return [{ type: "retry", ...retryReason(`Retry ${attempt}: ${what}${known}`, found) }, CLEARED];
}

const CLEARED: RunnerEvent = { type: "message", text: "" };

/** Text deltas. Those of a sub-agent are not the agent's message. */
function streamEvent({ event: value, parent_tool_use_id: parent }: Fields): readonly RunnerEvent[] {
  const event = fieldsOf(value);
  if (isPresent(parent)) return [];
  if (event.type === "content_block_start") {
    return fieldsOf(event.content_block).type === "text" ? [CLEARED] : [];
  }
  const delta = fieldsOf(event.delta);
  const text = textOf(delta.text);
  if (event.type !== "content_block_delta" || delta.type !== "text_delta") return [];
  return text === undefined ? [] : [{ type: "delta", text }];
}

/** One line per content block. Its usage repeats on every line of a message, so it is not used. */
function assistant(event: Fields): readonly RunnerEvent[] {
  if (event.is_api_error_message === true) return usedUp(event);
  const { content } = fieldsOf(event.message);
  if (!Array.isArray(content)) return [];
  const isSubAgent = isPresent(event.parent_tool_use_id);
  return content.map(fieldsOf).flatMap((block): readonly RunnerEvent[] => {
    const text = textOf(block.text);
    if (block.type === "text" && text !== undefined && !isSubAgent) {
      return [{ type: "message", text }];
    }
    return block.type === "tool_use" ? [toolStarted(block, event)] : [];
  });
}

/**
 * The CLI puts its own errors into the conversation. Only this line has the exact time at which the
 * limit of a plan ends; the result that follows has it as words.
 */
function usedUp(event: Fields): readonly RunnerEvent[] {
  const { rate_limit_info: limit } = fieldsOf(event.api_error_params);
  const seconds = numberOf(fieldsOf(limit).resetsAt);
  if (seconds === undefined || isPresent(event.parent_tool_use_id)) return [];
  const text = contentText(fieldsOf(event.message).content);
  const name = textOf(event.api_error);
  const found = failureOfClaude({ text, name, resetsAt: seconds * 1_000 });
  if (found?.failure.kind !== "quota") return [];
  const error = `${found.message} The CLI said: ${text}`;
  return [{ type: "end", ok: false, text, durationMs: null, error, failure: found.failure }];
}

const PATH_KEYS: Readonly<Record<string, string>> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

function toolStarted(block: Fields, event: Fields): RunnerEvent {
  const name = textOf(block.name) ?? "unknown";
  const key = Object.hasOwn(PATH_KEYS, name) ? PATH_KEYS[name] : undefined;
  const path = key === undefined ? undefined : textOf(fieldsOf(block.input)[key]);
  return {
    type: "tool_started",
    callId: textOf(block.id) ?? "",
    tool: name.startsWith(TOOL_PREFIX) ? name.slice(TOOL_PREFIX.length) : name,
    ...(path !== undefined && { files: [path] }),
    ...timeOf(event),
  };
}

/** The name of the tool is only in the line that started the call. */
function toolResults(event: Fields): readonly RunnerEvent[] {
  const { content } = fieldsOf(event.message);
  if (!Array.isArray(content)) return [];
  const results = content.map(fieldsOf).filter(({ type }) => type === "tool_result");
  return results.map((result) => {
    const output = contentText(result.content);
    return {
      type: "tool_finished",
      callId: textOf(result.tool_use_id) ?? "",
      tool: "",
      ok: result.is_error !== true,
      // The details belong to one result; calls at the same time have a line each.
      files: results.length === 1 ? writtenFiles(event.tool_use_result, output) : [],
      ...(output && { output }),
      ...timeOf(event),
    };
  });
}

/** The CLI replaces a file that it edits, so only its own words tell whether a file is new. */
function writtenFiles(details: unknown, output: string): readonly FileChange[] {
  if (!isRecord(details)) return fromWords(output);
  const path = textOf(details.filePath) ?? textOf(details.notebook_path);
  const original = "originalFile" in details ? details.originalFile : details.original_file;
  if (path === undefined || original === undefined) return [];
  const isNew = details.type === "create" || original === null;
  // An empty text stands for an empty file as well as for a missing one.
  return [{ path, change: isNew ? "created" : original === "" ? "unknown" : "edited" }];
}

const CREATED = /^File created successfully at: (.+?)(?: \(file state|$)/;
const UPDATED = /^The file (.+?) has been updated/;

/** The results of a sub-agent's calls have no details. */
function fromWords(output: string): readonly FileChange[] {
  const created = CREATED.exec(output)?.[1];
  if (created !== undefined) return [{ path: created, change: "created" }];
  const updated = UPDATED.exec(output)?.[1];
  return updated === undefined ? [] : [{ path: updated, change: "edited" }];
}

function timeOf({ timestamp }: Fields): { readonly at?: number } {
  const time = Date.parse(textOf(timestamp) ?? "");
  return Number.isNaN(time) ? {} : { at: time };
}
