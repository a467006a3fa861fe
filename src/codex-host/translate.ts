import { contentText } from "../base/content-text.ts";
import { fieldsOf, isPresent, numberOf, textOf, type Fields } from "../base/narrow.ts";
import { OWN_SERVER } from "../domain/agents/progress.ts";
import type { FileChange, RunnerEvent } from "../domain/agents/runner.ts";

/** Notifications that are long or many, and of which we use nothing. */
export const UNUSED_NOTIFICATIONS: readonly string[] = [
  "turn/diff/updated",
  "item/commandExecution/outputDelta",
  "item/fileChange/patchUpdated",
  "item/reasoning/textDelta",
  "item/reasoning/summaryTextDelta",
  "account/rateLimits/updated",
];

/**
 * A notification of the app server as events of a runner. `server` is the name that our MCP server
 * has in this run.
 */
export function eventsOf(method: string, params: Fields, server: string): readonly RunnerEvent[] {
  switch (method) {
    case "item/agentMessage/delta": {
      const text = textOf(params.delta);
      return text === undefined ? [] : [{ type: "delta", text }];
    }
    case "item/started":
      return started(fieldsOf(params.item), server);
    case "item/completed":
      return completed(fieldsOf(params.item), server);
    case "thread/tokenUsage/updated":
      return [usage(fieldsOf(fieldsOf(params.tokenUsage).total))];
    case "mcpServer/startupStatus/updated":
      return params.name === server ? connection(params.status) : [];
    case "error":
      // Other errors are repeated by the turn that fails because of them.
      return params.willRetry === true ? [{ type: "retry", reason: reasonOf(params.error) }] : [];
    case "turn/completed":
      return [endOf(fieldsOf(params.turn))];
    default:
      return [];
  }
}

function started(item: Fields, server: string): readonly RunnerEvent[] {
  const time = timeOf(item.startedAtMs);
  // The deltas of another message, or of one that was cut, are in the preview.
  if (item.type === "agentMessage") return [{ type: "message", text: "" }];
  if (item.type === "userMessage") {
    const id = textOf(item.clientId);
    return [id === undefined ? { type: "user", ...time } : { type: "steered", id }];
  }
  const tool = toolOf(item, server);
  if (tool === undefined) return [];
  const files = changesOf(item).map(({ path }) => path);
  const written = files.length > 0 ? { files } : {};
  return [{ type: "tool_started", callId: textOf(item.id) ?? "", tool, ...written, ...time }];
}

function completed(item: Fields, server: string): readonly RunnerEvent[] {
  const text = textOf(item.text);
  if (item.type === "agentMessage") return text ? [{ type: "message", text }] : [];
  const tool = toolOf(item, server);
  if (tool === undefined) return [];
  const output = outputOf(item);
  return [
    {
      type: "tool_finished",
      callId: textOf(item.id) ?? "",
      tool,
      // Some calls, such as a search in the web, have no status.
      ok: (item.status ?? "completed") === "completed" && !isPresent(item.error),
      files: changesOf(item),
      ...(output && { output }),
      ...timeOf(item.completedAtMs),
    },
  ];
}

function timeOf(value: unknown): { readonly at?: number } {
  const at = numberOf(value);
  return at === undefined ? {} : { at };
}

/** undefined: the item is not a call, such as a plan. */
function toolOf(item: Fields, server: string): string | undefined {
  const tool = textOf(item.tool);
  switch (item.type) {
    case "commandExecution":
      return "shell";
    case "fileChange":
      return "apply_patch";
    case "webSearch":
      return "web_search";
    case "collabAgentToolCall":
      return tool ?? "agents";
    case "mcpToolCall":
      return item.server === server ? tool : `${textOf(item.server)}.${tool}`;
    default:
      return undefined;
  }
}

function outputOf({ aggregatedOutput, error, result }: Fields): string {
  const message = textOf(fieldsOf(error).message);
  return contentText(message ?? aggregatedOutput ?? fieldsOf(result).content);
}

const CHANGES: Readonly<Record<string, FileChange["change"]>> = {
  add: "created",
  update: "edited",
  delete: "deleted",
};

function changesOf({ type, changes }: Fields): readonly FileChange[] {
  if (type !== "fileChange" || !Array.isArray(changes)) return [];
  return changes.map(fieldsOf).flatMap(({ path, kind }): readonly FileChange[] => {
    if (typeof path !== "string") return [];
    const { type: word, move_path: target } = fieldsOf(kind);
    // The target may have existed.
    if (typeof target === "string") {
      return [
        { path, change: "deleted" },
        { path: target, change: "unknown" },
      ];
    }
    const known = typeof word === "string" && Object.hasOwn(CHANGES, word);
    return [{ path, change: (known ? CHANGES[word] : undefined) ?? "unknown" }];
  });
}

/** It counts the whole conversation, and `inputTokens` includes the tokens of the cache. */
function usage(total: Fields): RunnerEvent {
  const cacheReadTokens = count(total.cachedInputTokens);
  const cacheWriteTokens = count(total.cacheWriteInputTokens);
  return {
    type: "usage",
    scope: "session",
    usage: {
      inputTokens: Math.max(0, count(total.inputTokens) - cacheReadTokens - cacheWriteTokens),
      outputTokens: count(total.outputTokens),
      cacheReadTokens,
      cacheWriteTokens,
    },
  };
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}

function connection(status: unknown): readonly RunnerEvent[] {
  if (status === "starting") return [];
  return [{ type: "mcp", server: OWN_SERVER, connected: status === "ready" }];
}

/** Only the details of a retry say why the request failed. */
function reasonOf(value: unknown): string {
  const { message, additionalDetails } = fieldsOf(value);
  const said = textOf(message) ?? "The turn failed.";
  const details = textOf(additionalDetails);
  return details ? `${said} (${details})` : said;
}

function endOf({ status, error, durationMs, items }: Fields): RunnerEvent {
  const ok = status === "completed";
  const interrupted = status === "interrupted" && !isPresent(error);
  return {
    type: "end",
    ok,
    text: ok ? lastTextOf(items) : "",
    durationMs: numberOf(durationMs) ?? null,
    error: ok ? null : interrupted ? "The turn was interrupted." : reasonOf(error),
  };
}

function lastTextOf(items: unknown): string {
  if (!Array.isArray(items)) return "";
  const message = items.map(fieldsOf).findLast(({ type }) => type === "agentMessage");
  return textOf(message?.text) ?? "";
}
