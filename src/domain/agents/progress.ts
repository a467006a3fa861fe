import { truncate } from "../../base/truncate.ts";
import type { RunnerEvent, Usage } from "./runner.ts";

/**
 * Limits for an agent's row, which would otherwise grow without bound; the transcript in the spool
 * is complete.
 */
export const MAX_MESSAGE_CHARS = 4_000;
const MAX_FILES = 1_000;
export const MAX_OPEN_TOOLS = 8;
export const MAX_OUTPUT_CHARS = 500;
const MAX_NAME_CHARS = 200;

/** A call that has not ended, according to the stream. */
export type OpenTool = {
  readonly callId: string;
  readonly name: string;
  /** null: the stream does not say. */
  readonly startedAt: number | null;
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
  readonly toolCallCount: number;
  readonly lastMessage: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  readonly usage: Usage | null;
  readonly sessionId: string | null;
  readonly reportedModel: string | null;
  /** When the CLI accepted the prompt; null if its stream has not said so. */
  readonly promptSentAt: number | null;
  /** Oldest first. */
  readonly openTools: readonly OpenTool[];
  readonly lastTool: EndedTool | null;
  readonly end: AgentEnd | null;
};

export type AgentEnd = {
  readonly ok: boolean;
  readonly text: string;
  readonly durationMs: number | null;
  readonly error: string | null;
};

export const NO_PROGRESS: AgentProgress = {
  offset: 0,
  lines: 0,
  skippedLines: 0,
  toolCallCount: 0,
  lastMessage: "",
  editedFiles: [],
  createdFiles: [],
  usage: null,
  sessionId: null,
  reportedModel: null,
  promptSentAt: null,
  openTools: [],
  lastTool: null,
  end: null,
};

export function currentToolOf({ openTools }: Pick<AgentProgress, "openTools">): OpenTool | null {
  return openTools.at(-1) ?? null;
}

/** `isNew`: whether a written file was created while this agent was running. */
export function observe(
  progress: AgentProgress,
  event: RunnerEvent,
  isNew: (path: string) => boolean,
): AgentProgress {
  switch (event.type) {
    case "session":
      return { ...progress, sessionId: event.sessionId, reportedModel: event.model };
    case "delta":
      return { ...progress, lastMessage: lastChars(progress.lastMessage + event.text) };
    case "message":
      return { ...progress, lastMessage: lastChars(event.text) };
    case "user":
      return { ...progress, promptSentAt: progress.promptSentAt ?? event.at ?? null };
    case "tool_started":
      return {
        ...progress,
        toolCallCount: progress.toolCallCount + 1,
        openTools: [...progress.openTools, openTool(event)].slice(-MAX_OPEN_TOOLS),
      };
    case "tool_finished": {
      const ended = withEnded(progress, event);
      return event.ok ? withFiles(ended, event.files, isNew) : ended;
    }
    case "usage":
      return { ...progress, usage: event.usage };
    case "retry":
      return progress;
    case "end":
      return {
        ...progress,
        lastMessage: lastChars(event.text) || progress.lastMessage,
        openTools: [],
        end: {
          ok: event.ok,
          text: lastChars(event.text),
          durationMs: event.durationMs,
          error: event.error,
        },
      };
  }
}

function openTool({ callId, tool, at }: Extract<RunnerEvent, { type: "tool_started" }>): OpenTool {
  return {
    callId: truncate(callId, MAX_NAME_CHARS),
    name: truncate(tool, MAX_NAME_CHARS),
    startedAt: at ?? null,
  };
}

function withEnded(
  progress: AgentProgress,
  { callId, tool, ok, output, at }: Extract<RunnerEvent, { type: "tool_finished" }>,
): AgentProgress {
  const id = truncate(callId, MAX_NAME_CHARS);
  return {
    ...progress,
    openTools: progress.openTools.filter((open) => open.callId !== id),
    lastTool: {
      name: truncate(tool, MAX_NAME_CHARS),
      ok,
      output: truncate(output ?? "", MAX_OUTPUT_CHARS),
      endedAt: at ?? null,
    },
  };
}

function withFiles(
  progress: AgentProgress,
  files: readonly string[],
  isNew: (path: string) => boolean,
): AgentProgress {
  let { editedFiles, createdFiles } = progress;
  for (const path of files) {
    if (createdFiles.includes(path) || editedFiles.includes(path)) continue;
    if (createdFiles.length + editedFiles.length >= MAX_FILES) break;
    if (isNew(path)) createdFiles = [...createdFiles, path];
    else editedFiles = [...editedFiles, path];
  }
  return { ...progress, editedFiles, createdFiles };
}

/** The end of a text, never cut inside a character. */
function lastChars(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARS) return text;
  const cut = text.length - MAX_MESSAGE_CHARS;
  const first = text.charCodeAt(cut);
  const insidePair = first >= 0xdc00 && first <= 0xdfff;
  return text.slice(insidePair ? cut + 1 : cut);
}
