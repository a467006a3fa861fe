import { isRecord, parseJson, textOf, type Fields } from "../../base/narrow.ts";
import { roleOfStep } from "../../domain/tasks/draft.ts";
import type { ExecutionStep } from "../../domain/tasks/drafting.ts";
import type { ToolAnswer } from "../answer.ts";
import { callUntilDecided, codeOf, pauseAfter, reasonOf } from "../call-until-decided.ts";
import type { TextFacts } from "../data-flow/text-facts.ts";
import { callTool } from "../notifications.ts";
import { oneLine } from "../read-prompt.ts";
import { isVerb, type Run } from "../run.ts";
import type { RehearsalTexts } from "../texts.ts";
import { fillArguments } from "./fill-arguments.ts";

/** How a step ended. A `failed` step ends the execution. */
export type StepResult =
  | { readonly kind: "done"; readonly result: Fields; readonly words: string }
  | { readonly kind: "skipped"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string };

const WORDS_CHARS = 160;

/** Reports the step, fills its arguments and calls its tool until there is an answer. */
export async function takeStep(
  run: Run,
  step: ExecutionStep,
  results: readonly Fields[],
  facts: TextFacts,
): Promise<StepResult> {
  await callTool(run, "report_progress", { stepId: step.id });
  const prompts = promptsOf(run, step);
  if (prompts) return takeTogether(run, step, prompts);
  const known = answered(step);
  if (known) return { kind: "done", result: known, words: run.texts.usedBefore };
  const { args, missing } = argumentsOf(run, step, results, facts);
  if (missing.length > 0) {
    const words = run.texts.missing(run.texts.list(missing), `${step.id}.${missing[0]}`);
    return { kind: "failed", words };
  }
  return resultOf(await callUntilDone(run, step, args), run.texts);
}

/** A list as the argument `prompt` of an `agent:<role>` step: one agent for each, at the same time. */
function promptsOf(run: Run, step: ExecutionStep): readonly string[] | undefined {
  const given = run.read.directives.findLast(
    (directive) =>
      isVerb(directive, "arg") && directive.step === step.id && directive.name === "prompt",
  );
  const list = given && isVerb(given, "arg") && isOfAgent(step) ? given.value : undefined;
  return Array.isArray(list) ? list.map(String) : undefined;
}

async function takeTogether(
  run: Run,
  step: ExecutionStep,
  prompts: readonly string[],
): Promise<StepResult> {
  const answers = step.results.filter(isAnswer);
  if (answers.length >= prompts.length) {
    return { kind: "done", result: answered(step) ?? {}, words: run.texts.usedBefore };
  }
  const taken = await Promise.all(
    prompts.map(async (prompt) => {
      const tools = run.tools.another();
      try {
        return resultOf(await callUntilDone({ ...run, tools }, step, { prompt }), run.texts);
      } finally {
        await tools.close();
      }
    }),
  );
  return (
    taken.find(({ kind }) => kind !== "done") ?? {
      kind: "done",
      result: filesOfAll(taken.flatMap((each) => (each.kind === "done" ? [each.result] : []))),
      words: taken.map(({ words }) => words).join(" / "),
    }
  );
}

/** The answer that an earlier executor got: an answered call is not repeated. */
export function answered(step: ExecutionStep): Fields | undefined {
  const answers = step.results.filter(isAnswer).map(fieldsOfAnswer);
  return isOfAgent(step) && answers.length > 1 ? filesOfAll(answers) : answers.at(-1);
}

function fieldsOfAnswer({ structuredContent, text }: ExecutionStep["results"][number]): Fields {
  const read = isRecord(structuredContent) ? structuredContent : parseJson(textOf(text) ?? "");
  return isRecord(read) ? read : {};
}

/** What several agents of one step wrote; their other fields have no single value. */
function filesOfAll(results: readonly Fields[]): Fields {
  const all = (name: string) =>
    results.flatMap((result): readonly unknown[] => {
      const files = result[name];
      return Array.isArray(files) ? files : [];
    });
  return { createdFiles: all("createdFiles"), editedFiles: all("editedFiles") };
}

function isAnswer({ error, outcome }: ExecutionStep["results"][number]): boolean {
  return error === undefined && outcome !== "unknown";
}

function argumentsOf(run: Run, step: ExecutionStep, results: readonly Fields[], facts: TextFacts) {
  const filled = fillArguments(step, results, facts, run.read.directives);
  if (!isOfAgent(step)) return filled;
  const lines = run.read.directives
    .filter((directive) => isVerb(directive, "child"))
    .map(({ rest }) => `#rehearsal ${rest}`);
  // Set even without a schema, because this is one of our own tools.
  const { texts } = run;
  const prompt = [
    texts.simulated(texts.stepGiven(step.id, step.title, oneLine(facts.text, WORDS_CHARS))),
    texts.simulated(texts.onlyReport),
    ...lines,
  ].join("\n");
  const isGiven = run.read.directives.some(
    (directive) =>
      isVerb(directive, "arg") && directive.step === step.id && directive.name === "prompt",
  );
  return isGiven
    ? filled
    : {
        args: { ...filled.args, prompt },
        missing: filled.missing.filter((name) => name !== "prompt"),
      };
}

async function callUntilDone(
  run: Run,
  step: ExecutionStep,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  for (;;) {
    const askedAt = Date.now();
    const answer = await callUntilDecided(run, step.call, args, { isGuarded: true });
    // Only our own tool waits in chunks; a field of this name in another tool's answer has no
    // meaning here.
    const isWaiting = isOfAgent(step) && !answer.isError && answer.fields.waitMore === true;
    if (!isWaiting) return answer;
    await pauseAfter(askedAt);
  }
}

function resultOf(answer: ToolAnswer, texts: RehearsalTexts): StepResult {
  const code = codeOf(answer);
  if (code === "STEP_REJECTED") {
    const rejection = rejectionOf(answer);
    return isToGoOn(answer)
      ? { kind: "skipped", words: texts.skipped(rejection) }
      : { kind: "failed", words: texts.stepRejected(rejection) };
  }
  const reason = reasonOf(answer, texts);
  if (answer.isError) {
    return { kind: "failed", words: code ? `${code} ${reason}` : reason };
  }
  return { kind: "done", result: answer.fields, words: oneLine(answer.text, WORDS_CHARS) };
}

/** Why a person rejected the call, without what the refusal tells an agent to do. */
function rejectionOf({ fields }: ToolAnswer): string {
  const message = textOf(fields.message) ?? "";
  const [, reason = message] = /^.+? rejected (?:".*"|\S+?)(?:: |\.$)(.*)$/s.exec(message) ?? [];
  return oneLine(reason, WORDS_CHARS);
}

/** The person chose to continue without this step. */
function isToGoOn({ fields }: ToolAnswer): boolean {
  // Only the hint counts: the message quotes the person's reason, which may say anything.
  return /^go on without/i.test(textOf(fields.hint) ?? "");
}

function isOfAgent({ tool }: ExecutionStep): boolean {
  return roleOfStep({ server: null, tool }) !== undefined;
}
