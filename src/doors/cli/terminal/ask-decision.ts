import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Console } from "./console.ts";
import { approvalLines, type ApprovalView } from "./render-approval.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

/** The body of POST /api/approvals/{id}/decision. */
export type DecisionBody = {
  readonly decision: "approve" | "reject";
  readonly version: number;
  readonly reason?: string;
  readonly answer?: string;
  readonly onReject?: "fail" | "skip";
};

export type Asking = {
  readonly console: Console;
  readonly texts: TerminalTexts;
  readonly signal: AbortSignal;
  /** The approval in the dashboard. */
  readonly address: string;
};

/** A table of 24 rows fits with its heading; more is shown by `v`. */
const FEWEST_LINES = 40;
const INDENT = "  ";

/** Asks a person to decide; repeats each question until the answer is valid. */
export async function askDecision(asking: Asking, approval: WireApproval): Promise<DecisionBody> {
  const { console, texts } = asking;
  const { version, kind } = approval;
  const title = console.style.bold(visibleLine(approval.title));
  console.print(`\n${texts.asks[kind]} ${title}`);
  switch (kind) {
    case "question":
      showAll(asking, approval);
      return { decision: "approve", version, answer: await askAnswer(asking, approval) };
    case "outcome":
      showAll(asking, approval);
      return askOutcome(asking, version);
    case "prompt":
    case "process":
      // The draft itself stands above the question already.
      return askYesNo(asking, approval, true, false);
    case "unplanned_tool":
    case "call":
    case "merge":
      return askYesNo(asking, approval, false, showWithin(asking, approval));
    case "step": {
      const said = await askYesNo(asking, approval, false, showWithin(asking, approval));
      return said.decision === "approve"
        ? said
        : { ...said, onReject: await askAfterRejection(asking) };
    }
  }
}

/** Shows as much as is easy to read. Returns whether there is more to view. */
function showWithin({ console, texts, address }: Asking, approval: WireApproval): boolean {
  const { style } = console;
  const { columns, rows } = console.size();
  const width = columns - INDENT.length;
  const { lines, isWhole } = approvalLines(approval, { texts, style, width });
  const most = Math.max(FEWEST_LINES, rows - 6);
  const omitted = lines.length > most ? lines.length - most + 1 : 0;
  const shown = omitted > 0 ? lines.slice(0, most - 1) : lines;
  console.print(indented(shown));
  if (omitted === 0 && isWhole) return false;
  const what = omitted > 0 ? texts.omitted(omitted) : texts.cut;
  console.print(
    `${INDENT}${style.yellow(what)} · ${texts.viewAll} · ${style.link(address, address)}`,
  );
  return true;
}

function showAll({ console, texts }: Asking, approval: WireApproval): void {
  console.print(wholeText(approval, { texts, style: console.style }));
}

/** Neither cut nor wrapped: a person must not approve something that cannot be seen. */
export function wholeText(
  approval: WireApproval,
  view: Pick<ApprovalView, "texts" | "style">,
): string {
  return indented(approvalLines(approval, { ...view, width: undefined }).lines);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => INDENT + line).join("\n");
}

async function askYesNo(
  asking: Asking,
  approval: WireApproval,
  needsReason: boolean,
  hasMore: boolean,
): Promise<DecisionBody> {
  const { console, texts, signal } = asking;
  const { version } = approval;
  let said = await askLetter(asking, hasMore);
  while (said === "v") {
    await console.page(wholeText(approval, { texts, style: console.style }));
    said = await askLetter(asking, hasMore);
  }
  if (said === "y") return { decision: "approve", version };
  for (;;) {
    const reason = await console.ask(texts.reason, signal);
    if (reason !== "") return { decision: "reject", version, reason };
    if (!needsReason) return { decision: "reject", version };
    console.print(texts.reasonNeeded);
  }
}

function askLetter(asking: Asking, hasMore: boolean): Promise<"y" | "n" | "v"> {
  const { texts } = asking;
  return hasMore
    ? choose(asking, texts.decideOrView, ["y", "n", "v"])
    : choose(asking, texts.decide, ["y", "n"]);
}

async function askAfterRejection(asking: Asking): Promise<"fail" | "skip"> {
  return (await choose(asking, asking.texts.rejectStep, ["f", "s"])) === "s" ? "skip" : "fail";
}

async function askOutcome(asking: Asking, version: number): Promise<DecisionBody> {
  const said = await choose(asking, asking.texts.outcome, ["d", "r", "n"]);
  if (said === "n") return { decision: "reject", version };
  return { decision: "approve", version, answer: said === "d" ? "done" : "repeat" };
}

async function askAnswer({ console, texts, signal }: Asking, approval: WireApproval) {
  const { choices } = approval;
  if (choices.length === 0) {
    for (;;) {
      const answer = await console.ask(texts.answer, signal);
      if (answer !== "") return answer;
      console.print(texts.answerNeeded);
    }
  }
  choices.forEach((choice, index) => console.print(`  ${index + 1}. ${visibleLine(choice)}`));
  for (;;) {
    const said = await console.ask(texts.chooseAnswer(choices.length), signal);
    const chosen = choices[Number(said) - 1];
    if (chosen !== undefined) return chosen;
    console.print(texts.chooseNumber(choices.length));
  }
}

/** Full-width letters count too: a Japanese keyboard types them easily. */
async function choose<const Letter extends string>(
  { console, texts, signal }: Asking,
  question: string,
  letters: readonly Letter[],
): Promise<Letter> {
  for (;;) {
    const said = (await console.ask(question, signal)).normalize("NFKC").toLowerCase();
    const word = WORDS[said] ?? said;
    const chosen = letters.find((letter) => letter === word);
    if (chosen) return chosen;
    console.print(texts.chooseLetter(letters));
  }
}

const WORDS: Readonly<Record<string, string>> = { yes: "y", はい: "y", no: "n", いいえ: "n" };
