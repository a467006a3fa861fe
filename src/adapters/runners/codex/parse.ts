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
import type { FileChange, RunnerEvent } from "../../../domain/agents/runner.ts";
import { hostEventOf } from "../parse-host-line.ts";
import { retryReason } from "../retry-reason.ts";
import { failureOfCodex } from "./failure.ts";

/** One line of `codex exec --json`, which has no text deltas and no model, or of our host. */
export function parseCodexLine(
  line: string,
  ownServers: readonly string[],
  now: number,
): readonly RunnerEvent[] | undefined {
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  switch (event.type) {
    case "thread.started":
      return session(event);
    case "turn.started":
      return [{ type: "user" }];
    case "item.started":
      return started(fieldsOf(event.item), ownServers);
    case "item.completed":
      return completed(fieldsOf(event.item), ownServers);
    case "error":
      return errorOf(textOf(event.message) ?? "", now);
    case "turn.completed":
      return [
        ...usage(event.usage),
        { type: "end", ok: true, text: "", durationMs: null, error: null },
      ];
    case "turn.failed":
      return [failed(textOf(fieldsOf(event.error).message) ?? "The turn failed.", now)];
    default:
      return hosted(hostEventOf(event), now);
  }
}

/** The host does not know the words of failures. */
function hosted(event: RunnerEvent | undefined, now: number): readonly RunnerEvent[] {
  if (event?.type === "retry") return [retry(event.reason, now)];
  if (event?.type === "end" && event.error !== null) {
    return [{ ...failed(event.error, now), durationMs: event.durationMs }];
  }
  return event ? [event] : [];
}

function session(event: Fields): readonly RunnerEvent[] {
  const sessionId = textOf(event.thread_id);
  return sessionId === undefined ? [] : [{ type: "session", sessionId, model: null }];
}

function started(item: Fields, ownServers: readonly string[]): readonly RunnerEvent[] {
  const tool = toolOf(item, ownServers);
  return tool === undefined ? [] : [{ type: "tool_started", callId: textOf(item.id) ?? "", tool }];
}

function completed(item: Fields, ownServers: readonly string[]): readonly RunnerEvent[] {
  const text = textOf(item.text);
  if (item.type === "agent_message") return text === undefined ? [] : [{ type: "message", text }];
  const tool = toolOf(item, ownServers);
  if (tool === undefined) return [];
  const output = outputOf(item);
  return [
    {
      type: "tool_finished",
      callId: textOf(item.id) ?? "",
      tool,
      ok: item.status === "completed" && !isPresent(item.error),
      files: item.type === "file_change" ? changesOf(item.changes) : [],
      ...(output && { output }),
    },
  ];
}

/** undefined: the item is not a call, such as a message or a plan. */
function toolOf(item: Fields, ownServers: readonly string[]): string | undefined {
  switch (item.type) {
    case "command_execution":
      return "shell";
    case "file_change":
      return "apply_patch";
    case "web_search":
      return "web_search";
    case "collab_tool_call":
      return textOf(item.tool) ?? "agents";
    case "mcp_tool_call": {
      const [server, tool] = [textOf(item.server) ?? "", textOf(item.tool) ?? "unknown"];
      return ownServers.includes(server) ? tool : `${server}.${tool}`;
    }
    default:
      return undefined;
  }
}

function outputOf({ aggregated_output: shell, error, result }: Fields): string {
  const message = textOf(fieldsOf(error).message);
  return contentText(message ?? shell ?? fieldsOf(result).content);
}

const CHANGES: Readonly<Record<string, FileChange["change"]>> = {
  add: "created",
  update: "edited",
  delete: "deleted",
};

function changesOf(changes: unknown): readonly FileChange[] {
  if (!Array.isArray(changes)) return [];
  return changes.map(fieldsOf).flatMap(({ path, kind }) => {
    if (typeof path !== "string") return [];
    const known = typeof kind === "string" && Object.hasOwn(CHANGES, kind);
    return [{ path, change: (known ? CHANGES[kind] : undefined) ?? "unknown" }];
  });
}

/** Other errors are repeated by the turn that fails because of them. */
function errorOf(message: string, now: number): readonly RunnerEvent[] {
  return message.startsWith("Reconnecting") ? [retry(message, now)] : [];
}

function retry(said: string, now: number): RunnerEvent {
  return { type: "retry", ...retryReason(said, failureOfCodex(said, now)) };
}

function failed(said: string, now: number): Extract<RunnerEvent, { type: "end" }> {
  const found = failureOfCodex(said, now);
  return {
    type: "end",
    ok: false,
    text: "",
    durationMs: null,
    error: found ? `${found.message} The CLI said: ${said}` : said,
    ...(found && { failure: found.failure }),
  };
}

/** It counts the whole conversation, and `input_tokens` includes the tokens of the cache. */
function usage(value: unknown): readonly RunnerEvent[] {
  if (!isRecord(value)) return [];
  const cacheReadTokens = count(value.cached_input_tokens);
  const cacheWriteTokens = count(value.cache_write_input_tokens);
  return [
    {
      type: "usage",
      scope: "session",
      usage: {
        inputTokens: Math.max(0, count(value.input_tokens) - cacheReadTokens - cacheWriteTokens),
        outputTokens: count(value.output_tokens),
        cacheReadTokens,
        cacheWriteTokens,
      },
    },
  ];
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}
