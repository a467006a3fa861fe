import { roleTexts } from "../../domain/roles/role-texts.ts";
import { ROLE_STEP_PREFIX } from "../../domain/tasks/draft.ts";
import type { CatalogueTool, DesignedStep, TaskFacts } from "../../domain/tasks/drafting.ts";
import { isReader, planChain } from "../data-flow/chain.ts";
import { readFacts } from "../data-flow/text-facts.ts";
import type { Directive } from "../directives.ts";
import { languageOf, type Language } from "../language.ts";
import { oneLine } from "../read-prompt.ts";
import { isVerb, lastOf, type Run } from "../run.ts";
import type { RehearsalTexts } from "../texts.ts";

/** No steps can be proposed; the message says why. */
export class CannotDraft extends Error {}

export type StepsAsked = {
  readonly request: string;
  readonly task: TaskFacts;
  readonly catalogue: readonly CatalogueTool[];
};

const TITLE_CHARS = 60;

/** The tools in order, and which of them need a human check. */
export function designSteps(
  { read: { directives, language }, texts }: Pick<Run, "read" | "texts">,
  asked: StepsAsked,
  now: Date,
): readonly DesignedStep[] {
  const named = lastOf(directives, "steps")?.tools;
  const tools = named
    ? named.map((name) => byName(asked.catalogue, name, texts))
    : byFlow(asked, now, texts);
  return withChecks(
    tools.map((tool) => ({
      title: texts.stepTitle(oneLine(titleOf(tool, language), TITLE_CHARS)),
      tool: tool.tool,
      requiresHumanCheck: needsCheck(tool),
    })),
    directives,
    texts,
  );
}

/** The title in the language of the request, if the tool has one: `荷物の一覧 / List packages`. */
function titleOf({ tool, title }: CatalogueTool, language: Language): string {
  if (title === null) return tool;
  if (tool.startsWith(ROLE_STEP_PREFIX)) {
    const id = tool.slice(ROLE_STEP_PREFIX.length);
    return roleTexts({ id, name: title, description: "" }, language).name;
  }
  const parts = title.split(" / ");
  const inLanguage = parts.find((part) => languageOf(part) === language);
  return parts.length === 2 ? (inLanguage ?? title) : title;
}

function byFlow(
  { request, task, catalogue }: StepsAsked,
  now: Date,
  texts: RehearsalTexts,
): readonly CatalogueTool[] {
  const upstream = catalogue.filter((tool) => !isAgent(tool));
  const chain = planChain(upstream, readFacts(request, task.title, now));
  const tools = chain.length > 0 ? chain : catalogue.filter(isAgent).slice(0, 1);
  if (tools.length > 0) return tools;
  throw new CannotDraft(upstream.length > 0 ? texts.nothingFits : texts.nothingThere);
}

function isAgent({ tool }: CatalogueTool): boolean {
  return tool.startsWith(ROLE_STEP_PREFIX);
}

/** Finds a tool by its full name, or by its short name if only one server has it. */
function byName(
  catalogue: readonly CatalogueTool[],
  name: string,
  texts: RehearsalTexts,
): CatalogueTool {
  const exact = catalogue.filter(({ tool }) => tool === name);
  const found =
    exact.length > 0 ? exact : catalogue.filter(({ tool }) => tool.endsWith(`/${name}`));
  const [tool, other] = found;
  if (tool && !other) return tool;
  const listed = (tools: readonly CatalogueTool[]) => texts.list(tools.map((one) => one.tool));
  throw new CannotDraft(
    tool
      ? texts.toolInMany(name, listed(found))
      : texts.noSuchTool(name, listed(catalogue) || texts.none),
  );
}

/** Annotations are only hints; without one, a person checks the call. */
function needsCheck(tool: CatalogueTool): boolean {
  return !isAgent(tool) && !isReader(tool) && tool.annotations?.destructiveHint !== false;
}

function withChecks(
  steps: readonly DesignedStep[],
  directives: readonly Directive[],
  texts: RehearsalTexts,
): readonly DesignedStep[] {
  const checks = directives.filter(
    (directive) => isVerb(directive, "check") || isVerb(directive, "uncheck"),
  );
  const ids = steps.map((_step, index) => `step-${index + 1}`);
  const nowhere = checks.find(({ step }) => !ids.includes(step));
  if (nowhere) throw new CannotDraft(texts.noSuchStepOf(nowhere.step, steps.length));
  return steps.map((step, index) => {
    const last = checks.findLast((check) => check.step === ids[index]);
    return last ? { ...step, requiresHumanCheck: last.verb === "check" } : step;
  });
}
