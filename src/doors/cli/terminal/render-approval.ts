import { isRecord, textOf } from "../../../base/narrow.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { wrapColumns } from "../screen/columns.ts";
import type { Style } from "../screen/style.ts";
import { type ValueLines, valueLines } from "../screen/value-lines.ts";
import { mergeLines } from "./render-merge.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

export type ApprovalView = {
  readonly texts: TerminalTexts;
  readonly style: Style;
  /** undefined: nothing is cut or wrapped. */
  readonly width: number | undefined;
};

/** About the task, which is shown around its drafts, or shown in a heading. */
const KNOWN = {
  prompt: ["request", "title", "description", "priority", "type", "version", "content"],
  process: ["request", "title", "description", "priority", "type", "version", "promptId", "steps"],
  step: ["tool", "args", "step"],
  unplanned_tool: ["tool", "args", "step"],
  call: ["tool", "args"],
  question: ["question", "choices"],
  outcome: ["tool", "args"],
  merge: [
    "agentId",
    "version",
    "target",
    "mode",
    "message",
    "intoCheckout",
    "isClean",
    "conflicts",
    "check",
    "fileCount",
    "added",
    "removed",
    "files",
    "attention",
  ],
} as const satisfies Record<WireApproval["kind"], readonly string[]>;

/** Everything that is to be decided on, as text: nothing of `shown` that is not yet known is left out. */
export function approvalLines(approval: WireApproval, view: ApprovalView): ValueLines {
  const { kind, shown } = approval;
  const known: readonly string[] = KNOWN[kind];
  const rest = Object.fromEntries(
    Object.entries(shown).filter(([key, value]) => !known.includes(key) && value !== null),
  );
  const main = mainLines(approval, view);
  if (Object.keys(rest).length === 0) return main;
  const more = valueLines(rest, view);
  return { lines: [...main.lines, ...more.lines], isWhole: main.isWhole && more.isWhole };
}

function mainLines({ kind, shown }: WireApproval, view: ApprovalView): ValueLines {
  switch (kind) {
    case "prompt":
      return textBlock(textOf(shown["content"]) ?? "", view);
    case "process":
      return { lines: processLines(shown["steps"]), isWhole: true };
    case "question":
      return textBlock(textOf(shown["question"]) ?? "", view);
    case "step":
    case "unplanned_tool":
    case "call":
    case "outcome":
      return callLines(shown, view);
    case "merge":
      return { lines: mergeLines(shown, view), isWhole: true };
  }
}

function textBlock(text: string, { width }: ApprovalView): ValueLines {
  const lines = visibleText(text).split("\n");
  return {
    lines: width === undefined ? lines : lines.flatMap((line) => wrapColumns(line, width)),
    isWhole: true,
  };
}

function processLines(steps: unknown): readonly string[] {
  if (!Array.isArray(steps)) return [];
  return steps.filter(isRecord).map(({ order, title, server, tool, requiresHumanCheck }) => {
    const name = typeof server === "string" ? `${server}/${String(tool)}` : String(tool);
    const check = requiresHumanCheck === true ? " 🔍" : "";
    return `${String(order)}. ${visibleLine(String(title))} — ${visibleLine(name)}${check}`;
  });
}

function callLines(
  shown: WireApproval["shown"],
  { texts, style, width }: ApprovalView,
): ValueLines {
  const tool = `${style.dim(texts.tool)}  ${visibleLine(textOf(shown["tool"]) ?? "")}`;
  const args = valueLines(shown["args"] ?? {}, { width, style });
  return { lines: [tool, ...args.lines], isWhole: args.isWhole };
}
