import type { Fields } from "../../base/narrow.ts";
import type { ExecutionInput, ExecutionStep } from "../../domain/tasks/drafting.ts";
import type { Verdict } from "../../domain/tasks/execution.ts";
import { readFacts } from "../data-flow/text-facts.ts";
import { AskedToFail, perform } from "../perform.ts";
import { oneLine } from "../read-prompt.ts";
import { isVerb, type Report, type Run } from "../run.ts";
import { answered, takeStep } from "./take-step.ts";
import { whatCameOut } from "./what-came-out.ts";

const DECISION_CHARS = 300;

/** Runs the remaining steps in order and returns the report. */
export async function execute(run: Run, input: ExecutionInput, now = new Date()): Promise<Report> {
  const { texts } = run;
  const nowhere = stepNotThere(run, input.steps);
  if (nowhere) return last("failure", texts.noSuchStep(nowhere));
  for (const decision of input.decisions) {
    run.stream.say(texts.simulated(texts.decision(oneLine(decision, DECISION_CHARS))));
  }
  return walk(run, input, now);
}

async function walk(run: Run, input: ExecutionInput, now: Date): Promise<Report> {
  const { texts } = run;
  const past: string[] = [];
  const skipped: string[] = [];
  const facts = readFacts(input.request, input.task.title, now);
  const results: Fields[] = [];
  for (const step of input.steps) {
    if (step.status === "done" || step.status === "rejected") {
      const known = step.status === "done" ? answered(step) : undefined;
      if (known) results.push(known);
      if (step.status === "rejected") skipped.push(step.id);
      past.push(step.status === "done" ? texts.wasDone(step.id) : texts.notDone(step.id));
      continue;
    }
    if (await hasEnded(run, "before", step)) break;
    run.stream.say(texts.simulated(`${step.id} ${step.title} (${step.call})`));
    const taken = await takeStep(run, step, [...run.diary.answers, ...results], facts);
    run.diary.events.push(`${step.id} ${step.call}: ${taken.words}`);
    if (taken.kind === "failed") {
      const words = texts.stoppedAt(step.id, step.call, taken.words);
      return last("failure", `${words}${story(past)}`);
    }
    if (taken.kind === "done") results.push(taken.result);
    const name = `${step.id} ${step.call}`;
    if (taken.kind === "skipped") skipped.push(name);
    past.push(taken.kind === "done" ? texts.done(name) : texts.notDone(name));
    if (await hasEnded(run, "after", step)) break;
  }
  const ended = texts.ended(past.length - skipped.length, texts.list(skipped));
  return last("success", texts.sentences([texts.noModel, ended, whatCameOut(run, results)]));
}

/**
 * Carries out the directives for this place. Returns true if one of them reported, which ends the
 * execution.
 */
async function hasEnded(run: Run, when: "before" | "after", step: ExecutionStep): Promise<boolean> {
  for (const directive of run.read.directives) {
    if (!isVerb(directive, when) || directive.step !== step.id) continue;
    const error = await perform(run, directive.what);
    if (error !== undefined) throw new AskedToFail(error);
  }
  return run.diary.hasReported;
}

function stepNotThere({ read }: Run, steps: readonly ExecutionStep[]): string | undefined {
  const ids = new Set(steps.map(({ id }) => id));
  return read.directives
    .flatMap((directive) => ("step" in directive ? [directive.step] : []))
    .find((id) => !ids.has(id));
}

function last(result: Verdict, summary: string): Report {
  return { status: result === "success" ? "success" : "failure", result, summary };
}

function story(past: readonly string[]): string {
  return past.length === 0 ? "" : ` (${past.join(" / ")})`;
}
