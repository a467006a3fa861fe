import { writeAll } from "../base/write-all.ts";

/** The Cursor stream, as `--output-format stream-json --stream-partial-output` writes it. */
export type CursorStream = ReturnType<typeof createStream>;

export type ToolKind = "mcpToolCall" | "writeToolCall" | "editToolCall" | "shellToolCall";
export type ToolEvent =
  | { readonly success: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly message: string } }
  | { readonly rejected: { readonly reason: string } };

export type StreamUsage = { readonly inputTokens: number; readonly outputTokens: number };
export type StreamEnd = {
  readonly ok: boolean;
  readonly error: string | null;
  readonly usage: StreamUsage | null;
};

type StreamEvent = Readonly<Record<string, unknown>>;

const DELTA_CHARS = 24;

/** `write` is called with complete lines. */
export function createStream(write = (lines: string): void => writeAll(1, lines)) {
  const startedAt = Date.now();
  // Loading node:crypto for a random id would make the start of a run 20 % slower.
  const sessionId = `rehearsal-${startedAt.toString(36)}-${process.pid}`;
  const segments: string[] = [];
  let segment = "";
  let calls = 0;

  function emit(event: StreamEvent): void {
    write(`${JSON.stringify(event)}\n`);
  }

  function delta(text: string): string {
    segment += text;
    return `${JSON.stringify(deltaEvent(sessionId, text))}\n`;
  }

  /** Closes the current segment; the CLI then repeats it as a whole. */
  function endSegment(more: StreamEvent): void {
    if (segment === "") return;
    emit({ ...assistantEvent(sessionId, segment), ...more });
    segments.push(segment);
    segment = "";
  }

  return {
    init(cwd: string): void {
      emit(initEvent(sessionId, cwd));
    },

    /** The real CLI repeats the whole prompt; its first line is enough here. */
    user(text: string): void {
      emit({ type: "user", message: messageOf("user", text), session_id: sessionId });
    },

    say(text: string): void {
      const chars = Array.from(segment === "" ? text : `\n${text}`);
      for (let at = 0; at < chars.length; at += DELTA_CHARS) {
        write(delta(chars.slice(at, at + DELTA_CHARS).join("")));
      }
    },

    /** Many small deltas in one write. */
    deltas(first: number, last: number): void {
      let lines = "";
      for (let i = first; i <= last; i++) lines += delta(`${i} `);
      write(lines);
    },

    /** One delta line of this many bytes. It is not part of the final text. */
    longLine(bytes: number): void {
      const overhead = JSON.stringify(deltaEvent(sessionId, "")).length;
      emit(deltaEvent(sessionId, "x".repeat(Math.max(0, bytes - overhead))));
    },

    raw(line: string): void {
      write(`${line}\n`);
    },

    async tool<Event extends ToolEvent>(
      kind: ToolKind,
      args: Readonly<Record<string, unknown>>,
      run: () => Promise<Event>,
    ): Promise<Event> {
      calls += 1;
      const modelCallId = `${sessionId}-${calls}`;
      const ids = { call_id: `call_${calls}`, model_call_id: modelCallId, session_id: sessionId };
      endSegment({ model_call_id: modelCallId, timestamp_ms: Date.now() });
      emit(toolCallEvent("started", { [kind]: { args } }, ids));
      const result = await run();
      emit(toolCallEvent("completed", { [kind]: { args, result } }, ids));
      return result;
    },

    end(end: StreamEnd): void {
      endSegment({});
      emit(resultEvent(sessionId, end, segments.join("\n"), Date.now() - startedAt));
    },
  };
}

function messageOf(role: "assistant" | "user", text: string): StreamEvent {
  return { role, content: [{ type: "text", text }] };
}

function assistantEvent(sessionId: string, text: string): StreamEvent {
  return { type: "assistant", message: messageOf("assistant", text), session_id: sessionId };
}

function deltaEvent(sessionId: string, text: string): StreamEvent {
  return { ...assistantEvent(sessionId, text), timestamp_ms: Date.now() };
}

function initEvent(sessionId: string, cwd: string): StreamEvent {
  return {
    type: "system",
    subtype: "init",
    apiKeySource: "none",
    cwd,
    session_id: sessionId,
    // Not the model of the role: no model is asked.
    model: "rehearsal",
    permissionMode: "default",
  };
}

function toolCallEvent(
  subtype: "started" | "completed",
  toolCall: StreamEvent,
  ids: StreamEvent,
): StreamEvent {
  return { type: "tool_call", subtype, tool_call: toolCall, ...ids, timestamp_ms: Date.now() };
}

function resultEvent(
  sessionId: string,
  { ok, error, usage }: StreamEnd,
  text: string,
  durationMs: number,
): StreamEvent {
  return {
    type: "result",
    subtype: ok ? "success" : "error",
    duration_ms: durationMs,
    duration_api_ms: 0,
    is_error: !ok,
    result: ok ? text : (error ?? ""),
    session_id: sessionId,
    request_id: `${sessionId}-end`,
    // No tokens were used; numbers appear only if a directive asks for them.
    ...(usage && {
      usage: { ...usage, cacheReadTokens: 0, cacheWriteTokens: 0 },
      usage_asked_for: true,
    }),
  };
}
