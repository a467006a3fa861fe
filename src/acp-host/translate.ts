import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { FileChange, RunnerEvent } from "../domain/agents/runner.ts";
import { plainToolName } from "./tool-names.ts";

/** What is known of a tool call: updates repeat only the fields that changed. */
type Call = Omit<ToolCallUpdate, "_meta"> & {
  /** From the first update: later titles often are the arguments. */
  readonly tool: string;
};

/** Turns the updates of one ACP session into the events of a runner. */
export function createTranslator() {
  const calls = new Map<string, Call>();
  const finished = new Set<string>();

  function toolEvents(update: ToolCallUpdate): readonly RunnerEvent[] {
    const id = update.toolCallId;
    const before = calls.get(id);
    const call = { ...before, ...present(update), tool: before?.tool ?? nameOf(update) };
    calls.set(id, call);
    const callId = id;
    const { tool } = call;
    const events: RunnerEvent[] = [];
    if (!before) {
      const files = isWriting(call) ? pathsOf(call) : [];
      events.push({ type: "tool_started", callId, tool, ...(files.length > 0 && { files }) });
    }
    const isOver = call.status === "completed" || call.status === "failed";
    if (!isOver || finished.has(id)) return events;
    finished.add(id);
    const output = outputOf(call);
    events.push({
      type: "tool_finished",
      callId,
      tool,
      ok: call.status === "completed",
      files: filesOf(call),
      ...(output && { output }),
    });
    return events;
  }

  return {
    events(update: SessionUpdate): readonly RunnerEvent[] {
      const { sessionUpdate: type } = update;
      if (type === "agent_message_chunk" && update.content.type === "text") {
        return [{ type: "delta", text: update.content.text }];
      }
      return type === "tool_call" || type === "tool_call_update" ? toolEvents(update) : [];
    },
    /** The call as it is known now. */
    call: (id: string): Call | undefined => calls.get(id),
  };
}

/** Some CLIs have a sentence as the title; then the kind of the tool says more. */
function nameOf({ name, title, kind }: ToolCallUpdate): string {
  const plain = plainToolName(name ?? title ?? "tool");
  return /^[\w.:/-]{1,80}$/.test(plain) ? plain : (kind ?? "tool");
}

function present(update: ToolCallUpdate): Omit<Call, "tool"> {
  const { toolCallId, kind, status, title, name, content, locations, rawInput, rawOutput } = update;
  return {
    toolCallId,
    ...(kind && { kind }),
    ...(status && { status }),
    ...(title && { title }),
    ...(name && { name }),
    ...(content && { content }),
    ...(locations && { locations }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
}

export function isWriting({ kind }: Pick<Call, "kind">): boolean {
  return kind === "edit" || kind === "delete" || kind === "move";
}

function diffsOf({ content }: Call) {
  return (content ?? []).filter((part) => part.type === "diff");
}

function pathsOf(call: Call): readonly string[] {
  const paths = [...diffsOf(call), ...(call.locations ?? [])].map(({ path }) => path);
  return [...new Set(paths)];
}

/** A diff with an old text is an edit. An empty one may be a new file, and some send no diff. */
function filesOf(call: Call): readonly FileChange[] {
  if (!isWriting(call)) return [];
  if (call.kind === "delete") return pathsOf(call).map((path) => ({ path, change: "deleted" }));
  const edited = new Set(diffsOf(call).flatMap(({ path, oldText }) => (oldText ? [path] : [])));
  return pathsOf(call).map((path) => ({ path, change: edited.has(path) ? "edited" : "unknown" }));
}

function outputOf({ content }: Call): string {
  return (content ?? []).map(textOf).filter(Boolean).join("\n");
}

function textOf(part: ToolCallContent): string {
  return part.type === "content" && part.content.type === "text" ? part.content.text : "";
}
