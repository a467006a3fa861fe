import { isRecord, parseJson } from "../../base/narrow.ts";
import { truncate } from "../../base/truncate.ts";
import type { StepId } from "../ids.ts";
import { canonicalJson } from "../text/canonical.ts";
import type { ToolCall } from "./tool-call.ts";

/** The limit for all answers in an executor's prompt; more would not fit into a conversation. */
export const MAX_RESULT_CHARS = 1_000_000;
/** The limit for the answers of unplanned tools. */
const MAX_UNPLANNED_CHARS = 200_000;
/** Room for the name of the tool and the JSON around the answer. */
const MARGIN_CHARS = 500;
/** A shorter piece of an answer is useless. */
const MIN_PIECE_CHARS = 200;

export type CallResult = Readonly<Record<string, unknown>>;

/** The answers of the calls, oldest first; complete as long as they fit. */
export type CallResults = {
  readonly byStep: ReadonlyMap<StepId, readonly CallResult[]>;
  /** Calls of unplanned tools. */
  readonly unplanned: readonly CallResult[];
};

export function resultsOf(calls: readonly ToolCall[]): CallResults {
  const shown = calls.filter(isShown);
  return { byStep: stepsOf(shown), unplanned: unplannedOf(shown) };
}

function stepsOf(calls: readonly ToolCall[]): CallResults["byStep"] {
  const byStep = new Map<StepId, CallResult[]>();
  let room = MAX_RESULT_CHARS;
  for (const call of calls) {
    if (call.stepId === null) continue;
    const result = fitted(call, room);
    room = Math.max(0, room - JSON.stringify(result).length);
    byStep.set(call.stepId, [...(byStep.get(call.stepId) ?? []), result]);
  }
  return byStep;
}

/** The newest that fit; a limit of their own keeps them from displacing the results of steps. */
function unplannedOf(calls: readonly ToolCall[]): readonly CallResult[] {
  const all = calls.filter(({ stepId }) => stepId === null);
  const kept: CallResult[] = [];
  let room = MAX_UNPLANNED_CHARS;
  for (const call of all.toReversed()) {
    const result = { tool: `${call.server}/${call.tool}`, ...fitted(call, room - MARGIN_CHARS) };
    room -= JSON.stringify(result).length;
    if (room < 0) break;
    kept.unshift(result);
  }
  const left = all.length - kept.length;
  return left === 0 ? kept : [{ note: `${left} earlier calls are left out.` }, ...kept];
}

function isShown({ status }: ToolCall): boolean {
  return status !== "forwarded" && status !== "cancelled";
}

function fitted(call: ToolCall, room: number): CallResult {
  const whole = shownOf(call);
  if (JSON.stringify(whole).length <= room) return whole;
  const note = `The answers so far are longer than ${MAX_RESULT_CHARS} characters; the rest of this one is left out.`;
  const text = call.answer ?? "";
  return room < MIN_PIECE_CHARS ? { note } : { text: truncate(text, room - MIN_PIECE_CHARS), note };
}

function shownOf(call: ToolCall): CallResult {
  const args = parseJson(call.args);
  if (call.status === "outcome_unknown") return { args, outcome: "unknown" };
  if (call.status === "failed") {
    return { args, error: call.error ?? "failed", ...answerOf(call.answer) };
  }
  if (call.answer === null) {
    return { args, note: call.error ?? "It was carried out; its answer is not known." };
  }
  return { args, ...answerOf(call.answer) };
}

/** `{content, structuredContent?, isError}`, as it was stored. */
function answerOf(stored: string | null): CallResult {
  const answer = stored === null ? undefined : parseJson(stored);
  if (!isRecord(answer)) return {};
  const { structuredContent } = answer;
  const text = textOf(answer["content"]);
  const isCopy =
    structuredContent !== undefined &&
    canonicalJson(parseJson(text)) === canonicalJson(structuredContent);
  return {
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(text === "" || isCopy ? {} : { text }),
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) =>
      isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    )
    .join("\n");
}
