import type { AnalysisAnswer, AnalysisInput } from "../../../../domain/drafting.ts";
import { isDirective } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";

const TITLE_CHARS = 40;
const DESCRIPTION_CHARS = 400;
const NO_TYPE = "リハーサル";

export function analyseTask({ request, types, priority, locale }: AnalysisInput): AnalysisAnswer {
  const said = request
    .split("\n")
    .filter((line) => !isDirective(line))
    .join("\n");
  const cited = oneLine(said, DESCRIPTION_CHARS);
  return {
    title: oneLine(said, TITLE_CHARS) || NO_TYPE,
    description:
      locale === "en"
        ? `Rehearsal (リハーサル): no model has thought about this. What was asked: "${cited}"`
        : `リハーサル: モデルは検討していません。依頼: 「${cited}」`,
    priority: priority ?? "medium",
    type: types.find((type) => said.includes(type)) ?? types[0] ?? NO_TYPE,
  };
}
