/** What a line `#rehearsal <verb> <args>` of the user's prompt asks for. See docs/rehearsal.md. */
export type Directive =
  | { readonly verb: "sleep"; readonly ms: number }
  | { readonly verb: "grandchild"; readonly ms: number }
  | { readonly verb: "linger"; readonly ms: number }
  | { readonly verb: "retry-for"; readonly ms: number }
  | { readonly verb: "deltas" | "garbage"; readonly count: number }
  | { readonly verb: "stderr-flood" | "long-line"; readonly bytes: number }
  | { readonly verb: "say" | "stderr" | "fail"; readonly text: string }
  | { readonly verb: "write" | "edit"; readonly path: string; readonly text: string }
  | { readonly verb: "echo-prompt"; readonly path: string }
  | { readonly verb: "tool"; readonly name: string; readonly json: string }
  | { readonly verb: "report"; readonly status: ReportStatus; readonly summary: string }
  | { readonly verb: "usage"; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly verb: "exit"; readonly code: number }
  | { readonly verb: "no-report" | "ignore-term" | "crash" | "hang" }
  | { readonly verb: "unknown"; readonly line: string };

const REPORT_STATUSES = ["success", "failure", "timeout", "cancelled"] as const;
type ReportStatus = (typeof REPORT_STATUSES)[number];

export function parseDirectives(text: string): readonly Directive[] {
  return text
    .split("\n")
    .filter(isDirective)
    .map((line) => parseDirective(line.trimEnd()));
}

/** Only at the very start of a line, so that a quoted or indented one is just text. */
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
    case "grandchild":
    case "linger":
    case "retry-for":
      return withCount(rest, (ms) => ({ verb, ms }));
    case "deltas":
    case "garbage":
      return withCount(rest, (count) => ({ verb, count }));
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
    case "no-report":
    case "ignore-term":
    case "crash":
    case "hang":
      return rest === "" ? { verb } : undefined;
    default:
      return undefined;
  }
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
