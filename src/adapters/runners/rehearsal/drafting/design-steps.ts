import { AGENT_TOOL_PREFIX } from "../../../../domain/draft.ts";
import type { CatalogueTool, DesignedStep, TaskFacts } from "../../../../domain/drafting.ts";
import { isReader, planChain } from "../data-flow/chain.ts";
import { readFacts } from "../data-flow/text-facts.ts";
import type { Directive } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";
import { isVerb, lastOf } from "../run.ts";

/** There is nothing to propose that could be meant; its message says why. */
export class CannotDraft extends Error {}

export type StepsAsked = {
  readonly request: string;
  readonly task: TaskFacts;
  readonly catalogue: readonly CatalogueTool[];
};

const TITLE_CHARS = 60;

/** The tools in their order and which of them a person checks first. */
export function designSteps(
  asked: StepsAsked,
  directives: readonly Directive[],
  now: Date,
): readonly DesignedStep[] {
  const named = lastOf(directives, "steps")?.tools;
  const tools = named ? named.map((name) => byName(asked.catalogue, name)) : byFlow(asked, now);
  return withChecks(
    tools.map((tool) => ({
      title: `${oneLine(tool.title ?? tool.tool, TITLE_CHARS)} (リハーサル)`,
      tool: tool.tool,
      requiresHumanCheck: needsCheck(tool),
    })),
    directives,
  );
}

function byFlow({ request, task, catalogue }: StepsAsked, now: Date): readonly CatalogueTool[] {
  const upstream = catalogue.filter((tool) => !isAgent(tool));
  const chain = planChain(upstream, readFacts(request, task.title, now));
  const tools = chain.length > 0 ? chain : catalogue.filter(isAgent).slice(0, 1);
  if (tools.length > 0) return tools;
  throw new CannotDraft(
    upstream.length > 0
      ? "引数を埋められるツールがなく、任せられる職種もありません。"
      : "使えるツールも、任せられる職種もありません。",
  );
}

function isAgent({ tool }: CatalogueTool): boolean {
  return tool.startsWith(AGENT_TOOL_PREFIX);
}

/** By its whole name, or by its tool's if only one server has it. */
function byName(catalogue: readonly CatalogueTool[], name: string): CatalogueTool {
  const exact = catalogue.filter(({ tool }) => tool === name);
  const found =
    exact.length > 0 ? exact : catalogue.filter(({ tool }) => tool.endsWith(`/${name}`));
  const [tool, other] = found;
  if (tool && !other) return tool;
  const known = catalogue.map((one) => one.tool).join("、") || "なし";
  throw new CannotDraft(
    tool
      ? `${name} は複数のサーバーにあります: ${found.map((one) => one.tool).join("、")}`
      : `${name} というツールはありません。あるもの: ${known}`,
  );
}

/** What a server says of itself is only a hint; without one a person looks first. */
function needsCheck(tool: CatalogueTool): boolean {
  return !isAgent(tool) && !isReader(tool) && tool.annotations?.destructiveHint !== false;
}

function withChecks(
  steps: readonly DesignedStep[],
  directives: readonly Directive[],
): readonly DesignedStep[] {
  const checks = directives.filter(
    (directive) => isVerb(directive, "check") || isVerb(directive, "uncheck"),
  );
  const ids = steps.map((_step, index) => `step-${index + 1}`);
  const nowhere = checks.find(({ step }) => !ids.includes(step));
  if (nowhere)
    throw new CannotDraft(`${nowhere.step} はありません。ステップは ${steps.length} 個です。`);
  return steps.map((step, index) => {
    const last = checks.findLast((check) => check.step === ids[index]);
    return last ? { ...step, requiresHumanCheck: last.verb === "check" } : step;
  });
}
