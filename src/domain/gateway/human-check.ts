import type { Step } from "../tasks/draft.ts";

/**
 * When a person looks at a call of an upstream tool before it is sent. `as-planned`: in a task as
 * the approved step says; outside a task when the server itself calls the tool destructive.
 */
export const HUMAN_CHECKS = ["as-planned", "always", "never"] as const;
export type HumanCheck = (typeof HUMAN_CHECKS)[number];

export type CheckedTool = {
  readonly humanCheck: HumanCheck;
  /** The configuration says that it changes nothing. */
  readonly isReadOnly: boolean;
  /** What the server says of itself. */
  readonly annotations: Readonly<Record<string, unknown>> | null;
};

/** For an agent that works on no execution: there is no approved step to go by. */
export function isCheckedOutsideTask(tool: CheckedTool): boolean {
  if (tool.humanCheck !== "as-planned") return tool.humanCheck === "always";
  const { annotations } = tool;
  const isHarmless = tool.isReadOnly || annotations?.["readOnlyHint"] === true;
  return !isHarmless && annotations?.["destructiveHint"] === true;
}

/** What people approve is what will happen: the configuration's word is in the drafted step. */
export function withHumanCheck(step: Step, humanCheck: HumanCheck): Step {
  if (humanCheck === "as-planned") return step;
  return { ...step, requiresHumanCheck: humanCheck === "always" };
}
