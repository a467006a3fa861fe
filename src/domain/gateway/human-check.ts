import type { Step } from "../tasks/draft.ts";

/**
 * When a person checks a call of an upstream tool before it is forwarded. `as-planned`: in a task
 * as the approved step says; outside a task when the server itself calls the tool destructive.
 */
export const HUMAN_CHECKS = ["as-planned", "always", "never"] as const;
export type HumanCheck = (typeof HUMAN_CHECKS)[number];

export type CheckedTool = {
  readonly humanCheck: HumanCheck;
  /** The configuration declares the tool read-only. */
  readonly isReadOnly: boolean;
  /** Hints of the server, not to be trusted. */
  readonly annotations: Readonly<Record<string, unknown>> | null;
};

/** For an agent without an execution: there is no approved step that could decide. */
export function isCheckedOutsideTask(tool: CheckedTool): boolean {
  if (tool.humanCheck !== "as-planned") return tool.humanCheck === "always";
  const { annotations } = tool;
  const isHarmless = tool.isReadOnly || annotations?.["readOnlyHint"] === true;
  return !isHarmless && annotations?.["destructiveHint"] === true;
}

/**
 * Puts the configured human check into the drafted step, so that people approve what will happen.
 */
export function withHumanCheck(step: Step, humanCheck: HumanCheck): Step {
  if (humanCheck === "as-planned") return step;
  return { ...step, requiresHumanCheck: humanCheck === "always" };
}
