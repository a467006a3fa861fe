import { truncate } from "../../base/truncate.ts";
import { addChanges, type AnnouncedFile } from "./file-changes.ts";
import type { Failure, RunnerEvent, Usage } from "./runner.ts";
import { addUsage, subtractUsage, wholeUsage } from "./usage.ts";

/**
 * Limits for an agent's row, which would otherwise grow without bound; the transcript in the spool
 * is complete.
 */
export const MAX_MESSAGE_CHARS = 4_000;
export const MAX_OPEN_TOOLS = 8;
export const MAX_OUTPUT_CHARS = 500;
const MAX_NAME_CHARS = 200;
const MAX_FILES_PER_CALL = 50;
const MAX_WARNINGS = 20;
const MAX_STEERED = 20;

/** A call that has not ended, according to the stream. */
export type OpenTool = {
  readonly callId: string;
  readonly name: string;
  /** null: the stream does not say. */
  readonly startedAt: number | null;
  /** Files the call is going to write, and whether each existed when it started. */
  readonly files?: readonly AnnouncedFile[];
};

export type EndedTool = {
  readonly name: string;
  readonly ok: boolean;
  /** The beginning of its answer. */
  readonly output: string;
  readonly endedAt: number | null;
};

/**
 * What was observed of an agent so far: a fold over its stream. It is stored together with its
 * offset, so a restarted daemon continues exactly after the last folded line.
 */
export type AgentProgress = {
  /** Bytes of stdout folded in, always at a line end while the agent lives. */
  readonly offset: number;
  readonly lines: number;
  /** Lines that were not events: not JSON, or longer than the reader accepts. */
  readonly skippedLines: number;
  /** Calls that do work; see `POLLING_TOOLS`. */
  readonly toolCallCount: number;
  readonly pollCount: number;
  readonly lastMessage: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  readonly deletedFiles: readonly string[];
  readonly usage: Usage | null;
  /** As the CLI reported it; null: it did not. */
  readonly costUsd: number | null;
  /** What the CLI reported for the whole conversation; an agent that continues it subtracts this. */
  readonly sessionUsage: Usage | null;
  /** The tokens that the conversation had used before this agent. */
  readonly usageBefore: Usage | null;
  readonly sessionId: string | null;
  readonly reportedModel: string | null;
  /** When the CLI accepted the prompt; null if its stream has not said so. */
  readonly promptSentAt: number | null;
  /** Oldest first. */
  readonly openTools: readonly OpenTool[];
  readonly lastTool: EndedTool | null;
  /** Whether the CLI says that it has connected to our MCP server; null: it does not say. */
  readonly mcpConnected: boolean | null;
  readonly retries: Retries;
  /** Ids of the newest notifications that were passed to the model while it worked. */
  readonly steered: readonly string[];
  /** What the CLI or its host warns about. */
  readonly warnings: readonly string[];
  /** The id of the newest request to the model; null: the stream does not say. */
  readonly requestId: string | null;
  /** The conversation that could not be continued, so that this run began a new one. */
  readonly lostSession: string | null;
  /** Hosts on which its CLI was signed out or missing, so that it was started on another one. */
  readonly triedHosts: readonly string[];
  readonly end: AgentEnd | null;
};

/** Requests to the model that failed and were sent again. */
export type Retries = {
  readonly count: number;
  /** Since the model last gave a whole message or called a tool. */
  readonly inARow: number;
  readonly lastReason: string | null;
  readonly lastFailure: Failure | null;
};

export type AgentEnd = {
  readonly ok: boolean;
  readonly text: string;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly failure?: Failure;
};

const NO_REASON = "The request to the model failed. The CLI does not say why.";
const NO_RETRIES: Retries = { count: 0, inARow: 0, lastReason: null, lastFailure: null };

export const NO_PROGRESS: AgentProgress = {
  offset: 0,
  lines: 0,
  skippedLines: 0,
  toolCallCount: 0,
  pollCount: 0,
  lastMessage: "",
  editedFiles: [],
  createdFiles: [],
  deletedFiles: [],
  usage: null,
  costUsd: null,
  sessionUsage: null,
  usageBefore: null,
  sessionId: null,
  reportedModel: null,
  promptSentAt: null,
  openTools: [],
  lastTool: null,
  mcpConnected: null,
  retries: NO_RETRIES,
  steered: [],
  warnings: [],
  requestId: null,
  lostSession: null,
  triedHosts: [],
  end: null,
};

export function currentToolOf({ openTools }: Pick<AgentProgress, "openTools">): OpenTool | null {
  return openTools.at(-1) ?? null;
}

/**
 * Our tools by which an agent polls for notifications or says how far it is. They are no work: an agent
 * that polls would show a number that says nothing. A call that waits for another agent counts, because
 * delegating is work.
 */
const POLLING_TOOLS: readonly string[] = ["get_notifications", "report_progress"];

/** Every call of a tool, also those that only poll. */
export function callsOf(progress: Pick<AgentProgress, "toolCallCount" | "pollCount">): number {
  return progress.toolCallCount + progress.pollCount;
}

/** Whether a file existed at a time; null stands for the start of the agent. */
export type Existed = (path: string, at: number | null) => boolean;

/** The name of our MCP server in the configuration that an agent's CLI gets. */
export const OWN_SERVER = "kuromajutsu";

export function observe(
  progress: AgentProgress,
  event: RunnerEvent,
  existed: Existed,
): AgentProgress {
  switch (event.type) {
    case "session":
      return { ...progress, sessionId: event.sessionId, reportedModel: event.model };
    case "delta":
      // Not an answer yet: a stream that is cut again and again has deltas between its retries.
      return { ...progress, lastMessage: continued(progress.lastMessage, event.text) };
    case "message": {
      const said = { ...progress, lastMessage: lastChars(event.text) };
      // An empty one only clears the preview: the model is going to write the text again.
      return event.text === "" ? said : answered(said);
    }
    case "user":
      return { ...progress, promptSentAt: progress.promptSentAt ?? event.at ?? null };
    case "tool_started":
      return answered({
        ...progress,
        ...(POLLING_TOOLS.includes(event.tool)
          ? { pollCount: progress.pollCount + 1 }
          : { toolCallCount: progress.toolCallCount + 1 }),
        openTools: [...progress.openTools, openTool(event, existed)].slice(-MAX_OPEN_TOOLS),
      });
    case "tool_finished":
      return withEnded(withFiles(progress, event, existed), event);
    case "usage":
      return withUsage(progress, event);
    case "cost":
      return { ...progress, costUsd: event.costUsd };
    case "mcp":
      return event.server === OWN_SERVER
        ? { ...progress, mcpConnected: event.connected }
        : progress;
    case "steered":
      return { ...progress, steered: [...progress.steered, event.id].slice(-MAX_STEERED) };
    case "warning":
      return withWarning(progress, event.text);
    case "request":
      return withRequest(progress, event.id);
    case "retry":
      return withRetry(progress, event);
    case "end":
      return {
        ...progress,
        lastMessage: lastChars(event.text) || progress.lastMessage.trimEnd(),
        openTools: [],
        end: {
          ok: event.ok,
          text: lastChars(event.text),
          durationMs: event.durationMs,
          // The result of a failed run may come without the message of the error before it.
          error: event.error ?? (event.ok ? null : (progress.end?.error ?? null)),
          ...(event.failure && { failure: withResetTime(event.failure, progress.end?.failure) }),
        },
      };
  }
}

/** A CLI may tell the time in an earlier event only. */
function withResetTime(failure: Failure, before: Failure | undefined): Failure {
  return before?.kind === failure.kind && failure.resetsAt === null ? before : failure;
}

/** The model has answered, so the retries in a row are over. */
function answered(progress: AgentProgress): AgentProgress {
  if (progress.retries.inARow === 0) return progress;
  return { ...progress, retries: { ...progress.retries, inARow: 0 } };
}

function withWarning(progress: AgentProgress, text: string): AgentProgress {
  const warning = truncate(text, MAX_OUTPUT_CHARS);
  if (progress.warnings.length >= MAX_WARNINGS || progress.warnings.includes(warning)) {
    return progress;
  }
  return { ...progress, warnings: [...progress.warnings, warning] };
}

function withRetry(
  progress: AgentProgress,
  { reason, failure }: Extract<RunnerEvent, { type: "retry" }>,
): AgentProgress {
  const { count, inARow } = progress.retries;
  const retries = {
    count: count + 1,
    inARow: inARow + 1,
    lastReason: truncate(reason, MAX_OUTPUT_CHARS),
    lastFailure: failure ?? null,
  };
  return { ...progress, retries };
}

function withRequest(progress: AgentProgress, id: string): AgentProgress {
  const requestId = truncate(id, MAX_NAME_CHARS);
  if (requestId === progress.requestId) {
    return withRetry(progress, { type: "retry", reason: NO_REASON });
  }
  return answered({ ...progress, requestId, end: null });
}

function withUsage(
  progress: AgentProgress,
  { scope, usage: reported, costUsd }: Extract<RunnerEvent, { type: "usage" }>,
): AgentProgress {
  const usage = wholeUsage(reported);
  switch (scope) {
    case "run":
      return { ...progress, usage, costUsd: costUsd ?? progress.costUsd };
    case "step":
      return {
        ...progress,
        usage: progress.usage ? addUsage(progress.usage, usage) : usage,
        costUsd: costUsd === undefined ? progress.costUsd : (progress.costUsd ?? 0) + costUsd,
      };
    case "session":
      return {
        ...progress,
        sessionUsage: usage,
        usage: progress.usageBefore ? subtractUsage(usage, progress.usageBefore) : usage,
        costUsd: costUsd ?? progress.costUsd,
      };
  }
}

function openTool(
  { callId, tool, at, files = [] }: Extract<RunnerEvent, { type: "tool_started" }>,
  existed: Existed,
): OpenTool {
  const written = files
    .slice(0, MAX_FILES_PER_CALL)
    .map((path) => ({ path, existed: existed(path, at ?? null) }));
  return {
    callId: truncate(callId, MAX_NAME_CHARS),
    name: truncate(tool, MAX_NAME_CHARS),
    startedAt: at ?? null,
    ...(written.length > 0 && { files: written }),
  };
}

/** Adds the files of a successful call: those it reports, else those named when it started. */
function withFiles(
  progress: AgentProgress,
  { callId, ok, files }: Extract<RunnerEvent, { type: "tool_finished" }>,
  existed: Existed,
): AgentProgress {
  if (!ok) return progress;
  const announced = openCall(progress, callId)?.files ?? [];
  const changes = addChanges(progress, files, announced, (path) => existed(path, null));
  return { ...progress, ...changes };
}

function openCall({ openTools }: AgentProgress, callId: string): OpenTool | undefined {
  const id = truncate(callId, MAX_NAME_CHARS);
  return openTools.find((open) => open.callId === id);
}

function withEnded(
  progress: AgentProgress,
  { callId, tool, ok, output, at }: Extract<RunnerEvent, { type: "tool_finished" }>,
): AgentProgress {
  const started = openCall(progress, callId);
  return {
    ...progress,
    openTools: progress.openTools.filter((open) => open !== started),
    lastTool: {
      name: truncate(tool, MAX_NAME_CHARS) || started?.name || "unknown",
      ok,
      output: truncate(output ?? "", MAX_OUTPUT_CHARS),
      endedAt: at ?? null,
    },
  };
}

/** A message and its next text. Blank lines are not repeated: a call without a text adds one. */
function continued(message: string, text: string): string {
  const isRepeated = text === "\n\n" && (message === "" || message.endsWith(text));
  return isRepeated ? message : lastChars(message + text);
}

/** The end of a text, never cut inside a character. */
function lastChars(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARS) return text;
  const cut = text.length - MAX_MESSAGE_CHARS;
  const first = text.charCodeAt(cut);
  const insidePair = first >= 0xdc00 && first <= 0xdfff;
  return text.slice(insidePair ? cut + 1 : cut);
}
