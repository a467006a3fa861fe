import type {
  AnalysisAnswer,
  DesignAnswer,
  DesignedStep,
  DesignInput,
  DraftInput,
  ExecutionInput,
  PlanAnswer,
} from "../../domain/tasks/drafting.ts";
import { oneLine } from "../read-prompt.ts";
import { lastOf, type Report, type Run } from "../run.ts";
import type { RehearsalTexts } from "../texts.ts";
import { analyseTask } from "./analyse-task.ts";
import { CannotDraft, designSteps } from "./design-steps.ts";
import { writePrompt } from "./write-prompt.ts";

export type Draft = Exclude<DraftInput, ExecutionInput>;

const REASON_CHARS = 200;
const TITLE_REASON_CHARS = 50;

/**
 * Drafts as an analyst, a planner or a designer: returns the report whose response is the draft.
 */
export function draft(run: Run, input: Draft, now = new Date()): Report {
  const { stream, read, diary, texts } = run;
  for (const reason of remarksOn(input, texts)) {
    stream.say(texts.simulated(reason));
    diary.events.push(reason);
  }
  const asked = lastOf(read.directives, "answer");
  if (asked) return { status: "success", summary: texts.answeredByDirective, response: asked.text };
  try {
    const answer = answerTo(run, input, now);
    return {
      status: "success",
      summary: summaryOf(answer, texts),
      response: JSON.stringify(answer),
    };
  } catch (error) {
    if (!(error instanceof CannotDraft)) throw error;
    return { status: "failure", summary: error.message };
  }
}

function answerTo(run: Run, input: Draft, now: Date): AnalysisAnswer | PlanAnswer | DesignAnswer {
  switch (input.stage) {
    case "analysis":
      return analyseTask(input, run.texts);
    case "planning":
      return writePrompt(input, designSteps(run, input, now), run.texts);
    case "design":
      return { steps: withReason(designSteps(run, input, now), input, run.texts) };
  }
}

/** Steps have no text of their own, so the first title says why the draft is the same again. */
function withReason(
  steps: readonly DesignedStep[],
  { previous, rejections }: DesignInput,
  texts: RehearsalTexts,
): readonly DesignedStep[] {
  const [first, ...others] = steps;
  const last = rejections.at(-1);
  if (!first || !last || previous === null) return steps;
  const reason = oneLine(last.reason, TITLE_REASON_CHARS);
  return [{ ...first, title: texts.sameSteps(first.title, last.version, reason) }, ...others];
}

function summaryOf(
  answer: AnalysisAnswer | PlanAnswer | DesignAnswer,
  texts: RehearsalTexts,
): string {
  if ("steps" in answer) {
    return texts.stepsMade(answer.steps.map(({ tool }) => tool).join(" → "));
  }
  return "content" in answer ? texts.promptWritten : texts.readAs(answer.title);
}

/** A rehearsal cannot act on rejections and errors, but shows that it received them. */
function remarksOn(input: Draft, texts: RehearsalTexts): readonly string[] {
  const rejections = input.stage === "analysis" ? [] : input.rejections;
  return [
    ...rejections.map(({ version, reason }) =>
      texts.rejected(version, oneLine(reason, REASON_CHARS)),
    ),
    ...(input.sentBack?.errors ?? []).map((error) => texts.sentBack(oneLine(error, REASON_CHARS))),
  ];
}
