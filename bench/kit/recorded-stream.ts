const TOOL_CALL_EVERY = 100;

/** The lines of an agent with much output: deltas, and an edit now and then. */
export function recordedStream(count: number): string[] {
  const session = "3b1f8a52-6c1d-4a0e-9d5b-0c7f2e9a4d11";
  const lines = [
    { type: "system", subtype: "init", cwd: "/", session_id: session, model: "m" },
    ...Array.from({ length: count - 2 }, (_, index) => event(index, session)),
    {
      type: "result",
      subtype: "success",
      duration_ms: 1,
      is_error: false,
      result: "完了",
      session_id: session,
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}

function event(index: number, session_id: string): unknown {
  const timestamp_ms = 1_794_733_200_000 + index;
  const call = Math.floor(index / TOOL_CALL_EVERY);
  const at = index % TOOL_CALL_EVERY;
  if (at < 2) {
    const path = `src/file-${call % 50}.ts`;
    const result = at === 0 ? {} : { result: { success: { path, linesAdded: 3 } } };
    return {
      type: "tool_call",
      subtype: at === 0 ? "started" : "completed",
      call_id: `call_${call}`,
      tool_call: { editToolCall: { args: { path }, ...result } },
      model_call_id: `${session_id}-${call}`,
      session_id,
      timestamp_ms,
    };
  }
  // 470 bytes with its envelope; text like an agent's, with escapes and Japanese.
  const text = `${index}: 次に "auth" のテストを直します。\n`.padEnd(266, "lorem ipsum dolor ");
  return {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
    session_id,
    timestamp_ms,
  };
}
