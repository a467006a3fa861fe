import type {
  AnalysisAnswer,
  DesignAnswer,
  DraftInput,
  ExecutionInput,
  PlanAnswer,
} from "../../../../domain/drafting.ts";
import type { Directive } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";
import { lastOf, type Report, type Run } from "../run.ts";
import { analyseTask } from "./analyse-task.ts";
import { CannotDraft, designSteps } from "./design-steps.ts";
import { writePolicy } from "./write-policy.ts";

export type Draft = Exclude<DraftInput, ExecutionInput>;

const REASON_CHARS = 200;

/** Plays an analyst, a planner or a designer: answers the report whose response is the draft. */
export function draft({ stream, read, diary }: Run, input: Draft, now = new Date()): Report {
  for (const reason of remarksOn(input)) {
    stream.say(`リハーサル: ${reason}`);
    diary.events.push(reason);
  }
  const asked = lastOf(read.directives, "answer");
  if (asked) return { status: "success", summary: "指示された答えです。", response: asked.text };
  try {
    const answer = answerTo(input, read.directives, now);
    return { status: "success", summary: summaryOf(answer), response: JSON.stringify(answer) };
  } catch (error) {
    if (!(error instanceof CannotDraft)) throw error;
    return { status: "failure", summary: error.message };
  }
}

function answerTo(
  input: Draft,
  directives: readonly Directive[],
  now: Date,
): AnalysisAnswer | PlanAnswer | DesignAnswer {
  switch (input.stage) {
    case "analysis":
      return analyseTask(input);
    case "planning":
      return writePolicy(input, designSteps(input, directives, now));
    case "design":
      return { steps: designSteps(input, directives, now) };
  }
}

function summaryOf(answer: AnalysisAnswer | PlanAnswer | DesignAnswer): string {
  if ("steps" in answer) {
    return `実行ステップを作りました: ${answer.steps.map(({ tool }) => tool).join(" → ")}`;
  }
  return "content" in answer ? "実行方針を書きました。" : `依頼を「${answer.title}」と読みました。`;
}

/** It can do nothing about them, but whoever gave them sees that they came. */
function remarksOn(input: Draft): readonly string[] {
  const rejections = input.stage === "analysis" ? [] : input.rejections;
  return [
    ...rejections.map(
      ({ version, reason }) => `v${version} は却下されました: 「${oneLine(reason, REASON_CHARS)}」`,
    ),
    ...(input.sentBack?.errors ?? []).map(
      (error) => `前の答えは返されました: ${oneLine(error, REASON_CHARS)}`,
    ),
  ];
}
