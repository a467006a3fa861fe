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
export function writePolicy(
  { request, rejections }: PlanInput,
  steps: readonly DesignedStep[],
  { policy }: RehearsalTexts,
): PlanAnswer {
  const said = request.split("\n").filter((line) => !isDirective(line));
  const reasons = rejections.map(
    ({ version, reason }) => `- ${policy.reason(version, oneLine(reason, REASON_CHARS))}`,
  );
  const lines = [
    policy.head,
    policy.request(oneLine(said.join("\n"), REQUEST_CHARS)),
    policy.tools,
    ...steps.map(
      ({ tool, requiresHumanCheck }, index) =>
        `${index + 1}. ${requiresHumanCheck ? policy.checked(tool) : tool}`,
    ),
    ...(reasons.length > 0 ? [policy.reasons, ...reasons, policy.unchanged] : []),
  ];
  return { content: lines.join("\n") };
}
