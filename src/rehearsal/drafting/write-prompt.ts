import type { DesignedStep, PlanAnswer, PlanInput } from "../../domain/tasks/drafting.ts";
import { isDirective } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";
import type { RehearsalTexts } from "../texts.ts";

const REQUEST_CHARS = 300;
const REASON_CHARS = 300;

/**
 * States that it is a rehearsal, the request, the tools it would use, and all rejections of earlier
 * drafts.
 */
export function writePrompt(
  { request, rejections }: PlanInput,
  steps: readonly DesignedStep[],
  { prompt }: RehearsalTexts,
): PlanAnswer {
  const said = request.split("\n").filter((line) => !isDirective(line));
  const reasons = rejections.map(
    ({ version, reason }) => `- ${prompt.reason(version, oneLine(reason, REASON_CHARS))}`,
  );
  const lines = [
    prompt.head,
    prompt.request(oneLine(said.join("\n"), REQUEST_CHARS)),
    prompt.tools,
    ...steps.map(
      ({ tool, requiresHumanCheck }, index) =>
        `${index + 1}. ${requiresHumanCheck ? prompt.checked(tool) : tool}`,
    ),
    ...(reasons.length > 0 ? [prompt.reasons, ...reasons, prompt.unchanged] : []),
  ];
  return { content: lines.join("\n") };
}
