import { parseJson } from "../base/narrow.ts";
import type { StepId } from "../domain/ids.ts";
import { INTERNAL_ROLES, type InternalRole } from "../domain/roles/internal-role.ts";

/** What a line `#rehearsal <verb> <args>` of the user's prompt requests. See docs/rehearsal.md. */
export type Directive =
  | { readonly verb: "sleep" | "listen"; readonly ms: number }
  | { readonly verb: "grandchild"; readonly ms: number }
  | { readonly verb: "linger"; readonly ms: number }
  | { readonly verb: "retry-for"; readonly ms: number }
  | { readonly verb: "deltas" | "garbage"; readonly count: number }
  | { readonly verb: "iterations"; readonly count: number }
  | { readonly verb: "stderr-flood" | "long-line"; readonly bytes: number }
  | { readonly verb: "say" | "stderr" | "fail"; readonly text: string }
  | { readonly verb: "write" | "edit"; readonly path: string; readonly text: string }
  | { readonly verb: "echo-prompt" | "wait-for"; readonly path: string }
  | { readonly verb: "tool"; readonly name: string; readonly json: string }
  | { readonly verb: "report"; readonly status: ReportStatus; readonly summary: string }
  | { readonly verb: "usage"; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly verb: "exit"; readonly code: number }
  | { readonly verb: "child"; readonly rest: string }
  | { readonly verb: "same" | "no-ledger" }
  | { readonly verb: "no-report" | "ignore-term" | "crash" | "hang" }
  | { readonly verb: "answer"; readonly text: string }
  | { readonly verb: "in"; readonly role: InternalRole; readonly what: Directive }
  | { readonly verb: "before"; readonly step: StepId; readonly what: Directive }
  | { readonly verb: "after"; readonly step: StepId; readonly what: Directive }
  | { readonly verb: "first"; readonly what: Directive }
  | { readonly verb: "check"; readonly step: StepId }
  | { readonly verb: "uncheck"; readonly step: StepId }
  | { readonly verb: "steps"; readonly tools: readonly string[] }
  | { readonly verb: "arg"; readonly step: StepId; readonly name: string; readonly value: unknown }
  | { readonly verb: "unknown"; readonly line: string };

const REPORT_STATUSES = ["success", "failure", "timeout", "cancelled"] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** Only valid in the request of a task: they name one of its roles or steps. */
const TASK_VERBS: ReadonlySet<string> = new Set([
  "in",
  "before",
  "after",
  "first",
  "check",
  "uncheck",
  "steps",
  "arg",
  "answer",
]);
/** They only configure an orchestrator. */
const ORCHESTRATOR_VERBS: ReadonlySet<string> = new Set([
  "child",
  "iterations",
  "same",
  "no-ledger",
]);
/** They apply to the whole run, wherever they are written. */
const RUN_VERBS: ReadonlySet<string> = new Set([
  "usage",
  "linger",
  "retry-for",
  "ignore-term",
  "no-report",
]);

export function isOfThePlay({ verb }: Directive): boolean {
  return ORCHESTRATOR_VERBS.has(verb);
}

export function isOfATask({ verb }: Directive): boolean {
  return TASK_VERBS.has(verb);
}

/** A directive that is carried out in its place, from top to bottom. */
export function isStep({ verb }: Directive): boolean {
  return !ORCHESTRATOR_VERBS.has(verb) && !RUN_VERBS.has(verb) && !TASK_VERBS.has(verb);
}

export function parseDirectives(text: string): readonly Directive[] {
  return text
    .split("\n")
    .filter(isDirective)
    .map((line) => parseDirective(line.trimEnd()));
}

/** Only at the very start of a line, so that a quoted or indented directive is just text. */
export function isDirective(line: string): boolean {
  return /^#rehearsal(?:\s|$)/.test(line);
}

function parseDirective(line: string): Directive {
  const [verb, rest] = splitWord(line.replace(/^#rehearsal\s*/, ""));
  // A mistyped directive must not look like one that worked.
  return parseVerb(verb, rest) ?? { verb: "unknown", line };
}

function parseVerb(verb: string, rest: string): Directive | undefined {
  const [first, second] = splitWord(rest);
  switch (verb) {
    case "sleep":
    case "listen":
    case "grandchild":
    case "linger":
    case "retry-for":
      return withCount(rest, (ms) => ({ verb, ms }));
    case "deltas":
    case "garbage":
      return withCount(rest, (count) => ({ verb, count }));
    case "iterations":
      return withCount(rest, (count) => (count === 0 ? undefined : { verb, count }));
    case "child":
      return parseVerb(first, second) && { verb, rest };
    case "stderr-flood":
    case "long-line":
      return withCount(rest, (bytes) => ({ verb, bytes }));
    case "say":
    case "stderr":
    case "fail":
      return rest === "" ? undefined : { verb, text: rest };
    case "write":
    case "edit":
      return first === "" ? undefined : { verb, path: first, text: second };
    case "echo-prompt":
    case "wait-for":
      return rest === "" ? undefined : { verb, path: rest };
    case "tool":
      return first === "" ? undefined : { verb, name: first, json: second || "{}" };
    case "report": {
      const status = REPORT_STATUSES.find((known) => known === first);
      return status && second !== "" ? { verb, status, summary: second } : undefined;
    }
    case "usage":
      return withCount(first, (inputTokens) =>
        withCount(second, (outputTokens) => ({ verb, inputTokens, outputTokens })),
      );
    case "exit":
      return withCount(rest, (code) => (code > 255 ? undefined : { verb, code }));
    case "same":
    case "no-ledger":
      return rest === "" ? { verb } : undefined;
    case "no-report":
    case "ignore-term":
    case "crash":
    case "hang":
      return rest === "" ? { verb } : undefined;
    default:
      return parseOfATask(verb, rest);
  }
}

function parseOfATask(verb: string, rest: string): Directive | undefined {
  const [first, second] = splitWord(rest);
  const [target, name] = splitOnce(first, ".");
  const step = isStepId(target) ? target : undefined;
  switch (verb) {
    case "in":
      return parseIn(first, second);
    case "before":
    case "after": {
      const what = parseVerb(...splitWord(second));
      return step && name === undefined && what && isStep(what) ? { verb, step, what } : undefined;
    }
    case "first": {
      const what = parseVerb(first, second);
      return what && isOfATask(what) && what.verb !== "first" ? { verb, what } : undefined;
    }
    case "check":
    case "uncheck":
      return step && name === undefined && second === "" ? { verb, step } : undefined;
    case "steps": {
      const tools = rest.split(",").map((tool) => tool.trim());
      return tools.includes("") ? undefined : { verb, tools };
    }
    case "arg": {
      const value = parseJson(second);
      return step && name && value !== undefined ? { verb, step, name, value } : undefined;
    }
    default:
      return undefined;
  }
}

function parseIn(to: string, rest: string): Directive | undefined {
  const role = INTERNAL_ROLES.find((known) => known === to);
  const [verb, text] = splitWord(rest);
  if (!role) return undefined;
  // The executor drafts no answer: it reports what happened.
  if (verb === "answer") {
    return text === "" || role === "executor"
      ? undefined
      : { verb: "in", role, what: { verb, text } };
  }
  const what = parseVerb(verb, text);
  return what && !isOfATask(what) ? { verb: "in", role, what } : undefined;
}

function isStepId(word: string): word is StepId {
  return /^step-[1-9]\d{0,3}$/.test(word);
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function withCount(
  word: string,
  make: (count: number) => Directive | undefined,
): Directive | undefined {
  return /^\d{1,10}$/.test(word) ? make(Number(word)) : undefined;
}

function splitWord(text: string): readonly [string, string] {
  const match = /^(\S*)\s*(.*)$/s.exec(text);
  return [match?.[1] ?? "", match?.[2] ?? ""];
}
