import type { z } from "zod";
import { withHumanCheck, type HumanCheck } from "../../../domain/gateway/human-check.ts";
import type { Step } from "../../../domain/tasks/draft.ts";
import type { CatalogueTool } from "../../../domain/tasks/drafting.ts";
import { findStepTool } from "../../../domain/tasks/step-tool.ts";
import type { Core } from "../../core.ts";
import { taskCatalogue } from "../../gateway/list-agent-tools.ts";
import type { DraftingStage } from "./draft-input.ts";
import { analysisAnswer, designAnswer, planAnswer, readAnswer } from "./drafting-answers.ts";

export type Draft =
  | ({ readonly stage: "analysis" } & z.infer<typeof analysisAnswer>)
  | ({ readonly stage: "planning" } & z.infer<typeof planAnswer>)
  | { readonly stage: "design"; readonly steps: readonly Step[] };

export type DraftRead = { readonly draft: Draft } | { readonly errors: readonly string[] };

/** The draft in an answer, or all errors of the answer. */
export async function readDraft(
  core: Core,
  stage: DraftingStage,
  answer: string,
): Promise<DraftRead> {
  switch (stage) {
    case "analysis": {
      const read = readAnswer(analysisAnswer, answer);
      return "errors" in read ? read : { draft: { stage, ...read.answer } };
    }
    case "planning": {
      const read = readAnswer(planAnswer, answer);
      return "errors" in read ? read : { draft: { stage, ...read.answer } };
    }
    case "design": {
      const read = readAnswer(designAnswer, answer);
      return "errors" in read ? read : stepsOf(core, read.answer.steps, await taskCatalogue(core));
    }
  }
}

/** Checks against the current catalogue: a tool may be gone since the draft was requested. */
function stepsOf(
  core: Core,
  designed: z.infer<typeof designAnswer>["steps"],
  catalogue: readonly CatalogueTool[],
): DraftRead {
  const steps: Step[] = [];
  const errors: string[] = [];
  designed.forEach(({ title, tool, requiresHumanCheck }, index) => {
    const found = findStepTool(tool, catalogue);
    if ("error" in found) {
      errors.push(`steps.${index}.tool: ${found.error}`);
      return;
    }
    const order = index + 1;
    const step: Step = { id: `step-${order}`, order, title, ...found.ref, requiresHumanCheck };
    steps.push(withHumanCheck(step, humanCheckOf(core, step)));
  });
  return errors.length > 0 ? { errors } : { draft: { stage: "design", steps } };
}

/** As configured for the tool. Agents of roles have no such setting, so the draft decides. */
function humanCheckOf({ upstream }: Core, { server, tool }: Step): HumanCheck {
  const tools = upstream.servers().find(({ name }) => name === server)?.tools;
  return tools?.find(({ name }) => name === tool)?.humanCheck ?? "as-planned";
}
