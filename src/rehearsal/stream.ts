import { writeAll } from "./write-all.ts";

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

const DELTA_CHARS = 24;

/** `write` takes whole lines. */
export function createStream(write = (lines: string): void => writeAll(1, lines)) {
  const startedAt = Date.now();
  // Loading the crypto module for a better one would cost a fifth of the start of a run.
  const sessionId = `rehearsal-${startedAt.toString(36)}-${process.pid}`;
  const segments: string[] = [];
  let segment = "";
  let calls = 0;

  function emit(event: Readonly<Record<string, unknown>>): void {
    write(`${JSON.stringify(event)}\n`);
  }

  function assistant(text: string, more: Readonly<Record<string, unknown>> = {}) {
    const message = { role: "assistant", content: [{ type: "text", text }] };
    return { type: "assistant", message, session_id: sessionId, ...more };
  }

  function delta(text: string): string {
    segment += text;
    return `${JSON.stringify(assistant(text, { timestamp_ms: Date.now() }))}\n`;
  }

  /** Closes the running segment; the CLI then says it once more, whole. */
  function endSegment(more: Readonly<Record<string, unknown>>): void {
    if (segment === "") return;
    emit(assistant(segment, more));
    segments.push(segment);
    segment = "";
  }

  return {
    init(cwd: string): void {
      emit({
        type: "system",
        subtype: "init",
        apiKeySource: "none",
        cwd,
        session_id: sessionId,
        // Not the model of the role: no model is asked.
        model: "rehearsal",
        permissionMode: "default",
      });
    },

    /** The real CLI repeats the whole prompt; its first line is enough here. */
    user(text: string): void {
      const message = { role: "user", content: [{ type: "text", text }] };
      emit({ type: "user", message, session_id: sessionId });
    },

    say(text: string): void {
      const chars = Array.from(segment === "" ? text : `\n${text}`);
      for (let at = 0; at < chars.length; at += DELTA_CHARS) {
        write(delta(chars.slice(at, at + DELTA_CHARS).join("")));
      }
    },

    /** Many small ones in one write. */
    deltas(first: number, last: number): void {
      let lines = "";
      for (let i = first; i <= last; i++) lines += delta(`${i} `);
      write(lines);
    },

    /** One delta line of so many bytes. It is no part of the text said. */
    longLine(bytes: number): void {
      const overhead = JSON.stringify(assistant("", { timestamp_ms: Date.now() })).length;
      const filler = "x".repeat(Math.max(0, bytes - overhead));
      emit(assistant(filler, { timestamp_ms: Date.now() }));
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
      const callId = `call_${calls}`;
      const modelCallId = `${sessionId}-${calls}`;
      const ids = { call_id: callId, model_call_id: modelCallId, session_id: sessionId };
      endSegment({ model_call_id: modelCallId, timestamp_ms: Date.now() });
      emit({
        type: "tool_call",
        subtype: "started",
        tool_call: { [kind]: { args } },
        ...ids,
        timestamp_ms: Date.now(),
      });
      const result = await run();
      emit({
        type: "tool_call",
        subtype: "completed",
        tool_call: { [kind]: { args, result } },
        ...ids,
        timestamp_ms: Date.now(),
      });
      return result;
    },

    end({ ok, error, usage }: StreamEnd): void {
      endSegment({});
      emit({
        type: "result",
        subtype: ok ? "success" : "error",
        duration_ms: Date.now() - startedAt,
        duration_api_ms: 0,
        is_error: !ok,
        result: ok ? segments.join("\n") : (error ?? ""),
        session_id: sessionId,
        request_id: `${sessionId}-end`,
        // No tokens were used; numbers appear only where a directive asked for them.
        ...(usage && {
          usage: { ...usage, cacheReadTokens: 0, cacheWriteTokens: 0 },
          usage_asked_for: true,
        }),
      });
    },
  };
}
