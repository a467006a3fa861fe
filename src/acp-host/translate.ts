import { existsSync } from "node:fs";
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { fieldsOf } from "../base/narrow.ts";
import type { FileChange, RunnerEvent } from "../domain/agents/runner.ts";
import { plainToolName } from "./tool-names.ts";

/** What is known of a tool call: updates repeat only the fields that changed. */
type Call = Omit<ToolCallUpdate, "_meta"> & {
  /** From the first update: later titles often are the arguments. */
  readonly tool: string;
};

/** Turns the updates of one ACP session into the events of a runner. */
export function createTranslator(exists: (path: string) => boolean = existsSync) {
  const calls = new Map<string, Call>();
  const finished = new Set<string>();
  /** Whether the files of a call existed when the CLI asked for permission, by the id of the call. */
  const wasThere = new Map<string, ReadonlyMap<string, boolean>>();

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
      files: filesOf(call, wasThere.get(id)),
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
    /** The CLI asks whether a call may run, so the call has not written anything yet. */
    asked(toolCall: ToolCallUpdate): readonly RunnerEvent[] {
      const events = toolEvents(toolCall);
      const call = calls.get(toolCall.toolCallId);
      if (call && isWriting(call)) {
        wasThere.set(call.toolCallId, new Map(pathsOf(call).map((path) => [path, exists(path)])));
      }
      return events;
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

function filesOf(call: Call, wasThere?: ReadonlyMap<string, boolean>): readonly FileChange[] {
  if (!isWriting(call)) return [];
  return pathsOf(call).map((path) => ({
    path,
    change: call.kind === "delete" ? "deleted" : changeOf(path, call, wasThere?.get(path)),
  }));
}

/** Kinds of a diff, which the protocol does not define. Gemini and Codex have them. */
const CHANGES: Readonly<Record<string, FileChange["change"]>> = {
  add: "created",
  update: "edited",
  delete: "deleted",
};

/** A diff with an old text is an edit. An empty one may be a new file, and some CLIs send no diff. */
function changeOf(path: string, call: Call, wasThere: boolean | undefined): FileChange["change"] {
  const diffs = diffsOf(call).filter((diff) => diff.path === path);
  const kind = diffs.map((diff) => String(fieldsOf(diff._meta).kind)).find((each) => CHANGES[each]);
  if (kind !== undefined) return CHANGES[kind] ?? "unknown";
  if (diffs.some(({ oldText }) => oldText)) return "edited";
  // OpenCode says after a write whether the file was there.
  const known = wasThere ?? fieldsOf(fieldsOf(call.rawOutput).metadata).exists;
  if (known === undefined) return "unknown";
  return known ? "edited" : "created";
}

function outputOf({ content }: Call): string {
  return (content ?? []).map(textOf).filter(Boolean).join("\n");
}

function textOf(part: ToolCallContent): string {
  return part.type === "content" && part.content.type === "text" ? part.content.text : "";
}
