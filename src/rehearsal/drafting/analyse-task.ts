import type { AnalysisAnswer, AnalysisInput } from "../../domain/tasks/drafting.ts";
import { isDirective } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";
import type { RehearsalTexts } from "../texts.ts";

const TITLE_CHARS = 40;
const DESCRIPTION_CHARS = 400;

export function analyseTask(
  { request, types, priority }: AnalysisInput,
  texts: RehearsalTexts,
): AnalysisAnswer {
  const said = request
    .split("\n")
    .filter((line) => !isDirective(line))
    .join("\n");
  const cited = oneLine(said, DESCRIPTION_CHARS);
  return {
    title: oneLine(said, TITLE_CHARS) || texts.name,
    description: texts.description(cited),
    priority: priority ?? "medium",
    type: types.find((type) => said.includes(type)) ?? types[0] ?? texts.name,
  };
}
