import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import type { Console } from "./console.ts";
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
};

/** Asks a person to decide; repeats each question until the answer is valid. */
export async function askDecision(asking: Asking, approval: WireApproval): Promise<DecisionBody> {
  const { console, texts } = asking;
  console.print(`\n${texts.asks[approval.kind]}: ${visibleLine(approval.title)}`);
  const { version } = approval;
  switch (approval.kind) {
    case "question":
      console.print(shownText(approval));
      return { decision: "approve", version, answer: await askAnswer(asking, approval) };
    case "outcome":
      console.print(shownText(approval));
      return askOutcome(asking, version);
    case "prompt":
    case "process":
      return askYesNo(asking, version, true);
    case "unplanned_tool":
    case "call":
      console.print(shownText(approval));
      return askYesNo(asking, version, false);
    case "step": {
      console.print(shownText(approval));
      const said = await askYesNo(asking, version, false);
      return said.decision === "approve"
        ? said
        : { ...said, onReject: await askAfterRejection(asking) };
    }
  }
}

async function askYesNo(
  { console, texts, signal }: Asking,
  version: number,
  needsReason: boolean,
): Promise<DecisionBody> {
  const said = await choose({ console, texts, signal }, texts.decide, ["y", "n"]);
  if (said === "y") return { decision: "approve", version };
  for (;;) {
    const reason = await console.ask(texts.reason, signal);
    if (reason !== "") return { decision: "reject", version, reason };
    if (!needsReason) return { decision: "reject", version };
    console.print(texts.reasonNeeded);
  }
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
    }
  }
  choices.forEach((choice, index) => console.print(`  ${index + 1}. ${visibleLine(choice)}`));
  for (;;) {
    const number = Number(await console.ask(texts.chooseAnswer(choices.length), signal));
    const chosen = choices[number - 1];
    if (chosen !== undefined) return chosen;
  }
}

async function choose<const Letter extends string>(
  { console, signal }: Asking,
  question: string,
  letters: readonly Letter[],
): Promise<Letter> {
  for (;;) {
    const said = (await console.ask(question, signal)).toLowerCase();
    const chosen = letters.find((letter) => letter === said);
    if (chosen) return chosen;
  }
}

/** Not truncated: a person must not approve something that was not shown. */
function shownText({ shown }: WireApproval): string {
  return visibleText(JSON.stringify(shown, null, 2))
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
