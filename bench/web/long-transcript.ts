export const AGENT = "impl-code-1794733200-beef";
export const LINES = 50_000;

const AT = "2026-11-15T09:00:00.000Z";

/** Messages and tool calls of an agent, one row of the page each. */
function lineOf(index: number): string {
  const said = `${index}: 画面を読み、直すところを探しました。The quick brown fox.`;
  const event =
    index % 5 === 0
      ? {
          type: "tool_call",
          subtype: "completed",
          call_id: `call-${index}`,
          tool_call: {
            readToolCall: {
              args: { path: `/srv/app/file-${index}.ts` },
              result: { success: { content: said, totalLines: 1 } },
            },
          },
        }
      : {
          type: "assistant",
          message: { role: "assistant", content: [{ type: "text", text: said }] },
          model_call_id: `m-${index}`,
        };
  return JSON.stringify({ ...event, session_id: "bench", timestamp_ms: 1_794_733_200_000 + index });
}

let text: { readonly lines: readonly string[]; readonly starts: readonly number[] } | undefined;

function transcript() {
  if (text) return text;
  const lines = Array.from({ length: LINES }, (_, index) => lineOf(index));
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += Buffer.byteLength(line) + 1;
  }
  starts.push(at);
  text = { lines, starts };
  return text;
}

/** The answer of GET /api/agents/{id}/transcript. */
export function transcriptPage(offset: number, maxBytes: number) {
  const { lines, starts } = transcript();
  const first = starts.findIndex((start) => start >= offset);
  let last = first;
  while (last < lines.length && (starts[last + 1] ?? 0) - offset <= maxBytes) last++;
  return {
    agentId: AGENT,
    lines: lines.slice(first, last),
    nextOffset: starts[last] ?? 0,
    size: starts.at(-1) ?? 0,
  };
}

/** The answer of GET /api/agents/{id}. */
export function agentDetail() {
  return {
    agentId: AGENT,
    groupId: "grp-1794733200-0000",
    role: "impl-code",
    model: "claude-4-sonnet",
    runner: "cursor",
    status: "completed",
    startedAt: AT,
    createdAt: AT,
    endedAt: AT,
    elapsed_ms: 0,
    toolCallCount: LINES / 5,
    lastMessage: "",
    stageIndex: null,
    prompt: "読んで",
    workingDirectory: "/srv/app",
    access: "read-write",
    timeout_ms: null,
    stopReason: null,
    progress: {
      lastMessage: "",
      editedFiles: [],
      createdFiles: [],
      usage: null,
      sessionId: null,
      skippedLines: 0,
    },
    cost: { cost: null, currency: "USD", reason: "no usage" },
    result: null,
  };
}

/** The same lines in a bare scrolling box. */
export function bareList(): string {
  const rows = transcript().lines.map((line) => `<div>${line.slice(0, 120)}</div>`);
  return `<!doctype html><title>0</title><style>div div{height:22px;overflow:hidden}</style>
<div id="box" tabindex="0" style="height:600px;overflow-y:scroll">${rows.join("")}</div>`;
}
